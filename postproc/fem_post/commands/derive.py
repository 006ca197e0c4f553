"""fem-post derive: the equations of motion of a case as formulas."""

import argparse
from pathlib import Path

from fem_post.case_text import parse_case
from fem_post.command import DONE, Command, print_out, say, wrong
from fem_post.results import ResultsError

_STATES = 20  # random ones in which the formulas are checked


def _definition(text):
    """NAME, or NAME=FORMULA."""
    name, mark, formula = text.partition("=")
    if not name.strip() or (mark and not formula.strip()):
        raise argparse.ArgumentTypeError(f"{text!r} is neither a coordinate nor NAME=FORMULA")
    return name.strip(), formula.strip()


def _declare(parser):
    parser.add_argument("case", type=Path, metavar="CASE.json")
    parser.add_argument("--latex", action="store_true", help="print LaTeX (amsmath)")
    parser.add_argument("--quasi", type=_definition, action="append", default=[],
                        metavar="NAME[=FORMULA]",
                        help="a quasi-velocity: a generalized coordinate, whose rate it is, or "
                             "NAME=FORMULA linear in the names of rates (vx_P, rate_B); may be "
                             "given again, one a degree of freedom")


def _read(path):
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ResultsError(f"{path} cannot be read: {error}") from error
    return parse_case(text)


def _definitions(builder, asked):
    """[(name, expression)] of the quasi-velocities asked for."""
    from fem_post.derivation.case_rows import Lookup
    from fem_post.derivation.case_system import CaseError
    from fem_post.derivation.formula import parse_formula

    own = {c.name: c.v for c in builder.coordinates}
    found = []
    for name, formula in asked:
        if formula:
            found.append((name, parse_formula(formula, Lookup(builder))))
        elif name in own:
            found.append((f"{name}'", own[name]))
        else:
            raise CaseError(f"there is no generalized coordinate {name!r}: there are "
                            f"{', '.join(own)}")
    return found


def _check(derivation):
    """Compare with the solution by multipliers in random states; a note if it is poor."""
    import numpy as np

    from fem_post.derivation.numbers import Accelerations, largest_disagreement

    if derivation.system.laws or not derivation.map.velocities:
        return
    random = np.random.default_rng(1)
    start = np.array([c.start for c in derivation.system.coordinates])
    states = [(0.0, start + random.uniform(-0.5, 0.5, len(start)),
               random.normal(size=len(derivation.map.velocities))) for _ in range(_STATES)]
    try:
        worst = largest_disagreement(Accelerations(derivation), states)
    except np.linalg.LinAlgError:
        say("the formulas could not be checked: a state of the check is singular")
        return
    say(f"checked in {_STATES} random states: accelerations agree with those by multipliers to "
        f"{worst:.1e}")


def _run(arguments):
    from fem_post.derivation.case_rows import RowError
    from fem_post.derivation.case_system import Builder, CaseError, read_builder
    from fem_post.derivation.equations import derive
    from fem_post.derivation.formula import FormulaError
    from fem_post.derivation.quasi import QuasiError, choose, chosen
    from fem_post.derivation.text import as_latex, as_plain
    from fem_post.derivation.tidy import tidy

    case = _read(arguments.case)
    if not case:
        return wrong(f"{arguments.case} is no JSON object: fem check says what is wrong")
    builder = Builder(case)
    try:
        system = read_builder(builder)
        quasi = chosen(system, _definitions(builder, arguments.quasi), tidy) \
            if arguments.quasi else choose(system, tidy)
        derivation = derive(system, quasi, tidy)
    except (CaseError, RowError, FormulaError, QuasiError) as error:
        return wrong(f"{arguments.case}: {error}")
    print_out((as_latex if arguments.latex else as_plain)(derivation))
    _check(derivation)
    return DONE


COMMAND = Command("derive", "equations of motion of particles and rigid bodies as formulas",
                  _declare, _run)
