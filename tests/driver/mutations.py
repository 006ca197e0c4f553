"""Mutations of the shipped cases that no engineer would want to run: what goes wrong in a hurry.

`choose(seed)` gives them in a fixed order. A family of mutations (a misspelt key, a number for a
text, …) is applied once at every kind of place that the cases have: /rods/*/section is one place,
whatever the rods are called; chance chooses which case and which rod.

Only some cases are mutated unless all are asked for: one case more does not change the choice.
"""

import copy
import dataclasses
import json
import random
import re

from support import CASES, load_case

NAMED = {"sections", "laws", "points", "rods", "hinges", "supports", "bodies", "particles",
         "springs", "hereditary", "constraints", "loads"}
MUTATED = [
    "three_rod_deployment.json", "solar_array.json", "free_floating.json", "loads.json",
    "tumbling_frame.json", "sweeps/pendulum_arm.json", "format/units_and_include.json",
    "features/laws.json", "features/section_shapes.json", "features/body_on_rod.json",
    "hinges/friction.json", "hinges/stop_hard.json", "hinges/brake.json",
    "hinges/hold_and_release.json", "constraints/expressions.json",
    "constraints/synchronized_panels.json", "constraints/scott_russell.json",
    "constraints/rolling_wheel.json", "hereditary/relaxation.json",
    "hereditary/creeping_boom.json", "frames/turning_pendulum.json",
]
GONE = object()
OF_EACH_FAMILY = 4
INFINITE = "1e999"  # JSON has no infinity: a number beyond all doubles stands for it

DEPLOYMENT = "three_rod_deployment.json"

# Keys whose number has to be positive, or must not be negative, wherever they stand.
POSITIVE = {"EA", "EI", "GAs", "mass_per_length", "E", "G", "density", "width", "height",
            "diameter", "outer", "wall", "end", "every", "local_tolerance",
            "iteration_tolerance", "angular_frequency", "instantaneous", "elements", "duration"}
NOT_NEGATIVE = {"inertia_per_length", "stiffness_damping", "mass_damping", "inner", "mass",
                "inertia", "viscosity", "coulomb", "length", "delay"}
# What cannot be left out, by the kind of the object's place.
REQUIRED = {
    "": ("libfem", "points", "analysis"), "/sections/*": ("EA", "EI", "GAs", "mass_per_length",
                                                         "inertia_per_length", "density"),
    "/laws/*": ("kind", "points", "amplitude", "angular_frequency", "coefficients", "expression",
                "file", "terms"),
    "/rods/*": ("section", "from", "to"), "/hinges/*": ("at", "members"),
    "/hinges/*/damper": ("viscosity",), "/hinges/*/friction": ("coulomb",),
    "/hinges/*/latch": ("angle",), "/hinges/*/jam": ("at",),
    "/bodies/*": ("at", "mass", "inertia"), "/particles/*": ("at", "mass"),
    "/springs/*": ("between",), "/hereditary/*": ("between", "kernel"),
    "/hereditary/*/kernel": ("kind", "instantaneous", "terms", "A", "b", "alpha", "a", "beta", "p",
                             "lambda", "prolonged", "time"),
    "/constraints/*": ("kind", "terms", "at", "body", "between", "center", "curve", "radius"),
}
# Texts that name something, by their place; a name that nobody has given leads nowhere.
NAMES = {"section", "from", "to", "at", "rod", "body", "members", "between", "carries", "latched",
         "of", "drive", "on", "factor", "angle", "force", "x", "y", "rheonomic_length", "change"}


@dataclasses.dataclass(frozen=True)
class Mutation:
    family: str   # "misspelt key"
    case: str     # the case's path below cases/
    pointer: str  # of what is edited; "" for the whole text
    shown: str    # what is put there
    text: str = dataclasses.field(repr=False)  # the mutated case
    files: dict = dataclasses.field(default_factory=dict, repr=False)  # further files, by name
    encoding: str = "utf-8"
    is_single: bool = False  # one value or key is wrong, and nothing else


def join(pointer, key):
    return f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"


def walk(value, pointer="", kind=""):
    """All values of a case with their pointers and the kinds of their places."""
    yield pointer, kind, value
    if isinstance(value, dict):
        named = kind[1:] in NAMED or kind in ("/initial/velocity", "/initial/rate")
        for key, inner in value.items():
            yield from walk(inner, join(pointer, key), join(kind, "*" if named else key))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from walk(inner, join(pointer, i), join(kind, i if len(value) < 4 else "#"))


def keys_of(pointer):
    return [k.replace("~1", "/").replace("~0", "~") for k in pointer.split("/")[1:]]


def edited(case, pointer, value, key=None):
    """A copy in which `value` stands at a pointer, under a new `key` if one is given."""
    case = copy.deepcopy(case)
    if pointer == "":
        return value
    *parents, last = keys_of(pointer)
    place = case
    for k in parents:
        place = place[int(k)] if isinstance(place, list) else place.setdefault(k, {})
    if isinstance(place, list):
        last = int(last) if last != "-" else len(place)
        if value is GONE:
            del place[last]
        elif last == len(place):
            place.append(value)
        else:
            place[last] = value
    elif key is not None:  # in the same place among its neighbours
        renamed = {key if k == last else k: v for k, v in place.items()}
        place.clear()
        place.update(renamed)
    elif value is GONE:
        del place[last]
    else:
        place[last] = value
    return case


def to_text(case):
    return json.dumps(case, indent=1, ensure_ascii=False).replace(f'"{INFINITE}"', INFINITE)


def shown(value):
    return "nothing" if value is GONE else json.dumps(value, ensure_ascii=False)


def misspell(word, rng):
    """One slip of the fingers."""
    i = rng.randrange(max(len(word) - 1, 1))
    slips = [word[:i] + word[i + 1:] if len(word) > 2 else word + word,
             word[:i] + word[i + 1:i + 2] + word[i] + word[i + 2:],
             word[:i] + word[i] + word[i:], word.upper() if word.islower() else word.lower()]
    return rng.choice([s for s in slips if s and s != word] or [word + "x"])


# ------------------------------------------------------------------------------- one value is wrong

def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def last_word(kind):
    """The key whose value stands at a place, or whose list it is in."""
    words = [w for w in kind.split("/")[1:] if not w.isdigit() and w != "#"]
    return words[-1] if words else ""


def wrong_values(kind, value, case, rng):
    """(family, value) for a value at a place of this kind."""
    word = last_word(kind)
    if is_number(value):
        yield "a number that is not finite", INFINITE
        yield "a truth value for a number", True
        yield "a number with its unit", f"{value:g} mm"
        yield "nothing for a number", None
        yield "a number in an object", {"value": value}
        if word in POSITIVE:
            yield "zero", 0
        if word in POSITIVE | NOT_NEGATIVE:
            yield "a negative number", -abs(value or 1)
        if word == "elements":
            yield "a part of an integer", value + 0.5
            yield "too large an integer", 3_000_000_000
    elif isinstance(value, str):
        yield "a truth value for a text", False
        yield "a text in a list", [value]
        if word in NAMES and kind != "/supports/*/fix":
            yield "a name that nobody has", misspell(value, rng)
            yield "an empty name", ""
        elif word in ("kind", "fix", "inertia_field", "metric") or kind.startswith("/units"):
            yield "a word that is not allowed", misspell(value, rng)
    elif isinstance(value, list):
        yield "a number for a list", 3
        yield "an empty list", []
        if len(value) == 2 and word != "fix" and word != "points":
            yield "a list that is too short", value[:1]
            yield "a list that is too long", value + value
    elif isinstance(value, dict) and kind:
        yield "a list for an object", [value]
        yield "a text for an object", "see above"


# Places where the value of another kind is right too.
ALLOWED = {
    ("an empty list", "/supports/*/fix"), ("an empty list", "/bodies/*/carries"),
    ("a list that is too long", "/bodies/*/carries"),
    ("a list that is too short", "/bodies/*/carries"),
    ("a list that is too short", "/laws/*/coefficients"),
    ("a list that is too long", "/laws/*/coefficients"),
    ("a list for an object", "/hinges/*/hold"), ("a text in a list", "/include"),
    ("a list that is too short", "/hinges/*/hold"), ("a list that is too long", "/hinges/*/hold"),
    ("a list that is too short", "/laws/*/terms"), ("a list that is too long", "/laws/*/terms"),
    ("a list that is too short", "/constraints/*/terms"),
    ("a list that is too long", "/constraints/*/terms"),
}


def key_mutations(kind, value, rng):
    """(family, key, new key, value) of what is wrong with the keys of an object."""
    for key in REQUIRED.get(kind, ()):
        if key in value:
            yield "a key that is missing", key, None, GONE
    if kind[1:] in NAMED or kind.startswith("/initial/"):
        return
    for key in value:
        yield "a misspelt key", key, misspell(key, rng), value[key]
    yield "a key that nobody knows", "colour", None, "red"


def single_mutations(names, rng):
    """One edit each; a family meets a kind of place once."""
    sites = {}
    for name in names:
        case = load_case(name)
        for pointer, kind, value in walk(case):
            for family, wrong in wrong_values(kind, value, case, rng):
                if (family, kind) not in ALLOWED:
                    sites.setdefault((family, kind), []).append((name, pointer, wrong, None))
            if isinstance(value, dict):
                for family, key, new, wrong in key_mutations(kind, value, rng):
                    site = (name, join(pointer, key), wrong, new)
                    sites.setdefault((family, join(kind, key)), []).append(site)
    cases = {name: load_case(name) for name in names}
    for (family, _), found in sites.items():
        name, pointer, wrong, key = rng.choice(found)
        text = to_text(edited(cases[name], pointer, wrong, key))
        told = shown(wrong) if key is None else shown(key)
        yield Mutation(family, name, pointer, told, text, is_single=True)


# ---------------------------------------------------------------------------- the text is no case

def damaged_texts(names, rng):
    """(family, case, text) of files that are no JSON, or hardly."""
    def case_text():
        name = rng.choice(names)
        return name, to_text(load_case(name))

    def spot(text, characters):
        return rng.choice([i for i, c in enumerate(text) if c in characters])

    for _ in range(3):
        for what, characters in (("bracket", "}]"), ("comma", ","), ("colon", ":"), ("quote", '"')):
            name, text = case_text()
            i = spot(text, characters)
            yield f"a {what} that is missing", name, text[:i] + text[i + 1:]
        name, text = case_text()
        yield "a file that ends too early", name, text[:rng.randrange(1, len(text) - 1)]
        name, text = case_text()
        i = spot(text, "}")
        yield "a comma too many", name, text[:i] + "," + text[i:]
        name, text = case_text()
        i = spot(text, "0123456789")
        yield "a letter in a number", name, text[:i + 1] + "O" + text[i + 1:]
        name, text = case_text()
        numbers = re.finditer(r": -?\d+(\.)\d", text)
        i = rng.choice([number.start(1) for number in numbers] or [0])
        yield "a decimal comma", name, text[:i] + "," + text[i + 1:]
    name, text = case_text()
    yield "single quotes", name, text.replace('"', "'")
    for number in ("NaN", "-Infinity", "inf"):
        text = to_text(load_case(DEPLOYMENT)).replace('"end": ', f'"end": {number}, "x": ')
        yield "not a number", DEPLOYMENT, text
    name, text = case_text()
    yield "a comment that never ends", name, text + "/* the end"
    name, text = case_text()
    yield "a comment of another language", name, "# a case\n" + text
    name, text = case_text()
    yield "something after the end", name, text + "\n{}"
    name, text = case_text()
    yield "a list of cases", name, f"[{text}]"
    name, text = case_text()
    yield "a byte that is no UTF-8", name, text.replace('"title": "', '"title": "\u00b5')
    name, text = case_text()
    nest = "[" * 100 + "]" * 100
    yield "a nest of lists", name, text.replace('"analysis"', f'"x": {nest}, "analysis"')
    yield "an empty file", "", ""
    yield "a file of blanks", "", "\n\n  \n"
    yield "a text", "", "Three-rod deployment\n"
    yield "a number", "", "42\n"
    yield "an empty object", "", "{}"


# ----------------------------------------------------------- the words are right, but not the case

SECTION = "/sections/bar"


def cases_that_cannot_be():
    """(family, case, edits): every edit is (pointer, value); the first names what is wrong."""
    arm = "sweeps/pendulum_arm.json"
    units = "format/units_and_include.json"
    laws = "features/laws.json"
    shapes = "features/section_shapes.json"
    solar = "solar_array.json"
    relax = "hereditary/relaxation.json"

    # The format and its files.
    yield "another version of the format", arm, [("/libfem", 2)]
    yield "another version of the format", arm, [("/libfem", "1.0")]
    yield "an included file that is missing", units, [("/include", "material.jsonc")]
    yield "an included file that includes itself", units, [("/include", "case.json")]
    yield "an included file that is no JSON", units, [("/include", "turn.csv")]
    yield "an included folder", units, [("/include", ".")]
    yield "a wrong value in an included file", units, [
        ("/sections", {"tube": {"tube": {"inner": 30}}})]
    yield "a unit that nobody knows", units, [("/units/length", "inch")]
    yield "a unit of something else", units, [("/units/length", "kg")]
    yield "a law in two units", units, [("/loads/tip/force/1", "turn")]
    # Tables.
    for family, text in (
            ("an empty table", ""), ("a table without numbers", "time,angle\n"),
            ("a table with a word", "time,angle\n0,0\n1,fast\n"),
            ("a table with a hole", "time,angle\n0,0\n1,\n2,3\n"),
            ("a table of one column", "time\n0\n1\n"),
            ("a table that goes back in time", "time,angle\n0,0\n2,1\n1,3\n"),
            ("a table that stands still", "time,angle\n0,0\n1,1\n1,3\n"),
            ("a table that is not finite", "time,angle\n0,0\n1,1e999\n"),
            ("a table with not a number", "time,angle\n0,0\n1,nan\n"),
            ("a table with decimal commas", "time;angle\n0;0\n0,5;1\n"),
            ("a table that does not start at 0", "time,angle\n0,30\n1,60\n")):
        yield family, units, [("/laws/turn/file", "bad.csv")], {"bad.csv": text}
    yield "a table that is missing", units, [("/laws/turn/file", "trun.csv")]
    yield "a column that is missing", units, [("/laws/turn/columns", ["time", "angel"])]
    yield "a column beyond the table", units, [("/laws/turn/columns", [1, 3])]
    yield "a column 0", units, [("/laws/turn/columns", [0, 1])]
    yield "a table of two sources", units, [("/laws/turn/points", [[0, 0], [1, 1]])]

    # Laws.
    yield "times that go back", DEPLOYMENT, [("/laws/first/points", [[0, 0], [5, 1], [4, 2]])]
    yield "times that are equal", DEPLOYMENT, [("/laws/first/points", [[0, 0], [5, 1], [5, 2]])]
    yield "a change that starts at something", DEPLOYMENT, [
        ("/laws/first/points", [[0, 1], [5, 2]])]
    yield "a change that is a constant", DEPLOYMENT, [("/hinges/hinge1/drive", 1.5)]
    yield "a drive by steps", DEPLOYMENT, [("/laws/first/kind", "steps")]
    for text in ("0.1*sin(3t)", "0.1*sine(3*t)", "sin(t", "2 t", "t +", "sin(x)", "t^^2", "", "1/t",
                 "log(t)",
                 "sqrt(t - 1)", "t;", "pi*t)", "sin t", "max(t)"):
        yield "a formula that is none", units, [("/laws/pulse/expression", text)]
    yield "a law of two kinds", laws, [("/laws/ramp/amplitude", 3)]
    yield "a law that ends before it starts", laws, [("/laws/brake/end", 0.5)]
    yield "a sum of sums", laws, [("/laws/both/terms/0/kind", "sum")]
    yield "a sum of names", laws, [("/laws/both/terms/0", "ramp")]

    # Sections.
    yield "a hollow that fills the tube", shapes, [("/sections/tube/tube/inner", 0.03)]
    yield "a hollow beyond the tube", shapes, [("/sections/tube/tube/inner", 0.031)]
    yield "a wall that fills the box", shapes, [("/sections/box/box/wall", 0.015)]
    yield "Poisson's ratio above one half", shapes, [("/sections/circle/poisson", 0.51)]
    yield "Poisson's ratio below -1", shapes, [("/sections/circle/poisson", -1)]
    yield "a shear modulus beyond Poisson", shapes, [("/sections/box/G", 1e10)]
    yield "two shapes", shapes, [("/sections/circle/rectangle", {"width": 1, "height": 1})]
    yield "no shape", shapes, [("/sections/circle/circle", GONE)]
    yield "G beside Poisson's ratio", shapes, [("/sections/circle/G", 2.6e10)]
    yield "stiffnesses beside a shape", shapes, [("/sections/circle/EI", 10)]
    yield "an empty section", shapes, [("/sections/circle", {})]
    yield "an offset beyond the inertia", DEPLOYMENT, [(SECTION + "/mass_offset", 0.01)]
    yield "a height without modulus", DEPLOYMENT, [(SECTION + "/height", 0.01)]
    yield "a section below all numbers", shapes, [("/sections/circle/circle/diameter", 1e-200)]
    yield "a section beyond all numbers", shapes, [("/sections/circle/circle/diameter", 1e200)]

    # Points and rods.
    yield "a rod of zero length", DEPLOYMENT, [("/points/A", [0, 0])]
    yield "a rod from a point to itself", DEPLOYMENT, [("/rods/rod1/to", "O")]
    yield "a rod that ends in space", DEPLOYMENT, [("/points/A", [2, 0, 0])]
    yield "a point too far away", DEPLOYMENT, [("/points/A", [1e308, 1e308])]
    yield "a rod that shrinks to nothing", "features/heated_rod.json", [
        ("/rods/held/elongation", -1)]
    yield "a name with a slash", DEPLOYMENT, [("/points/A~1B", [2, 0])]
    yield "a name without letters", DEPLOYMENT, [("/points/", [2, 0])]
    yield "a comma in a coordinate", DEPLOYMENT, [("/points/A", [2, 0, 5])]

    # Hinges.
    yield "a hinge between strangers", DEPLOYMENT, [("/hinges/hinge1/members", ["rod1", "rod3"])]
    yield "a hinge of one rod", DEPLOYMENT, [("/hinges/hinge1/members", ["rod1", "rod1"])]
    yield "a hinge elsewhere", DEPLOYMENT, [("/hinges/hinge1/at", "O")]
    yield "a hinge between points", DEPLOYMENT, [("/hinges/hinge1/members", ["O", "A"])]
    yield "a hinge that is given twice", DEPLOYMENT, [
        ("/hinges/again", {"at": "A", "members": ["rod1", "rod2"], "drive": "second"})]
    yield "a rod that no hinge names", "tumbling_frame.json", [("/hinges/arm", GONE)]
    yield "a stop upside down", "hinges/stop_hard.json", [("/hinges/pivot/stop/lower", 9)]
    yield "a stop of nothing", "hinges/stop_hard.json", [
        ("/hinges/pivot/stop", {"restitution": 0.5})]
    yield "a stop of two kinds", "hinges/stop_hard.json", [("/hinges/pivot/stop/stiffness", 100)]
    yield "a restitution above 1", "hinges/stop_hard.json", [
        ("/hinges/pivot/stop/restitution", 1.5)]
    yield "a static friction below the sliding one", "hinges/friction.json", [
        ("/hinges/pivot/friction/static", 0.0001)]
    yield "a spring of two kinds", solar, [("/hinges/root/spring/stiffness", 1)]
    yield "a spring table of one pair", solar, [("/hinges/root/spring/table", [[0, 1]])]
    yield "a spring table out of order", solar, [("/hinges/root/spring/table", [[1, 1], [0, 2]])]
    yield "a latch by a negative spring", solar, [("/hinges/root/latch/spring/stiffness", -1)]
    yield "a latch of a driven hinge", DEPLOYMENT, [("/hinges/hinge1/latch", {"angle": 0})]
    yield "a stop of a driven hinge", DEPLOYMENT, [
        ("/hinges/hinge1/stop", {"upper": 9, "restitution": 0})]
    yield "a hold of a driven hinge", DEPLOYMENT, [("/hinges/hinge1/hold", {"until": 1})]
    yield "a release by a hinge that never latches", solar, [
        ("/hinges/knee1/hold/until/latched", "knee2"),
        ("/hinges/knee2/hold/until/latched", "knee1")]
    yield "a release by a hinge without latch", solar, [("/hinges/root/latch", GONE)]
    yield "a hold that ends before it begins", "hinges/brake.json", [
        ("/hinges/axle/hold/0/from", 4)]
    yield "a time before the run", "hinges/brake.json", [("/hinges/axle/hold/0/from", -1)]

    # Supports, bodies, springs, particles.
    yield "a support of nothing", DEPLOYMENT, [("/supports/O", {})]
    yield "a support that is both fixed and driven", DEPLOYMENT, [
        ("/supports/O", {"fix": ["x", "y", "angle"], "angle": "root"})]
    yield "a support that says x twice", DEPLOYMENT, [("/supports/O/fix", ["x", "y", "x"])]
    yield "a support of a point that nobody has", DEPLOYMENT, [("/supports/P", {"fix": ["x"]})]
    yield "a support of one of many angles", solar, [("/supports", {"knee1": {"fix": ["angle"]}})]
    yield "a support of z in the plane", DEPLOYMENT, [("/supports/O/fix", ["x", "y", "z"])]
    yield "a support of the angle of a particle", "features/gravity.json", [
        ("/supports/ball/fix", ["x", "angle"])]
    yield "an inertia that is too small", "hinges/latch.json", [("/bodies/hub/inertia", 1e-3)]
    yield "a body without mass", "features/bodies.json", [("/bodies/panel/mass", 0),
                                                         ("/bodies/panel/inertia", 0)]
    yield "a body that carries a point twice", "features/bodies.json", [
        ("/bodies/hub/carries", ["joint", "corner", "joint"])]
    yield "a body that carries its own point", "features/bodies.json", [
        ("/bodies/hub/carries", ["hub"])]
    yield "a body that is named like a rod", solar, [
        ("/bodies/panel1", {"at": "c1", "mass": 1, "inertia": 1})]
    yield "a body on a rod that ends elsewhere", "features/body_on_rod.json", [
        ("/bodies/camera/at", "elsewhere"), ("/points/elsewhere", [5, 5])]
    yield "a spring from a point to itself", "tumbling_frame.json", [
        ("/springs/diagonal/between", ["A", "A"])]
    yield "a spring without stiffness", "tumbling_frame.json", [("/springs/diagonal/stiffness", 0)]
    yield "a spring of two points at one place", solar, [
        ("/springs", {"s": {"between": ["knee1", "knee3"], "stiffness": 3, "viscosity": 1}})]
    yield "a particle without mass", "features/gravity.json", [("/particles/ball/mass", 0)]
    yield "a particle that leaves the plane", "constraints/parabola.json", [
        ("/particles/bead/velocity", [0, 0, 1])]

    # Constraints.
    yield "a distance that is another at the start", "constraints/osinski_dumbbell.json", [
        ("/constraints/rod/length", 0.9)]
    yield "a point off its curve", "constraints/parabola.json", [("/points/P", [1, 2])]
    yield "a constraint that contradicts another", "constraints/synchronized_panels.json", [
        ("/constraints/again",
         {"kind": "linear", "terms": [["first", 1], ["root", 2]], "change": "away"}),
        ("/laws", {"away": {"kind": "linear", "points": [[0, 0], [1, 1]]}})]
    yield "a driven point on a fixed line", "constraints/scott_russell.json", [
        ("/supports", {"A": {"y": "up"}}),
        ("/laws", {"up": {"kind": "linear", "points": [[0, 0], [1, 1]]}})]
    yield "a constraint that is nonlinear in velocities", "constraints/expressions.json", [
        ("/constraints/pursuit/velocity", "vx_Q^2 + vy_Q^2 - 1")]
    yield "a constraint of a coordinate that nobody has", "constraints/expressions.json", [
        ("/constraints/ellipse/position", "hypot(x_R/2, y_P) - 1")]
    yield "a constraint that does not hold", "constraints/expressions.json", [
        ("/constraints/ellipse/position", "hypot(x_P/2, y_P) - 2")]
    yield "a wheel without radius", "constraints/rolling_wheel.json", [
        ("/constraints/ground/radius", 0)]
    yield "a relation of nothing", "constraints/synchronized_panels.json", [
        ("/constraints/cable1/terms", [["root", 0]])]
    yield "a relation that cancels", "constraints/synchronized_panels.json", [
        ("/constraints/cable1/terms", [["root", 1], ["root", -1]])]
    yield "long steps with constraints of velocities", "constraints/chaplygin_sleigh.json", [
        ("/analysis/method", {"kind": "generalized_alpha"})]

    # What remembers.
    yield "a kernel that is stronger than the spring", "hereditary/oscillator_standard_free.json", [
        ("/hereditary/element/kernel/prolonged", 1e9)]
    yield "a kernel that grows", "hereditary/oscillator_standard_free.json", [
        ("/hereditary/element/kernel/time", -0.5)]
    yield "a kernel without time", "hereditary/oscillator_standard_free.json", [
        ("/hereditary/element/kernel/time", 0)]
    yield "a kernel that is too singular", "hereditary/oscillator_rzhanitsyn.json", [
        ("/hereditary/element/kernel/alpha", 1)]
    yield "a kernel that swells", "hereditary/oscillator_rzhanitsyn.json", [
        ("/hereditary/element/kernel/A", -0.3)]
    yield "a kernel that does not fade", "hereditary/oscillator_rzhanitsyn.json", [
        ("/hereditary/element/kernel/b", -1)]
    yield "a kernel without terms", "hereditary/oscillator_standard_free.json", [
        ("/hereditary/element/kernel", {"kind": "prony", "instantaneous": 9, "terms": []})]
    yield "a weight that is negative", "hereditary/oscillator_standard_free.json", [
        ("/hereditary/element/kernel", {"kind": "prony", "instantaneous": 9, "terms": [[-1, 1]]})]
    yield "a fractional exponent above 1", "hereditary/oscillator_rabotnov.json", [
        ("/hereditary/element/kernel/alpha", 1.2)]
    yield "a kernel of Koltunov that is too singular", relax, [
        ("/hereditary/koltunov_rise/kernel/beta", 0)]
    yield "a sum that is too exact", "hereditary/oscillator_rabotnov.json", [
        ("/hereditary/element/kernel/tolerance", 1e-300)]
    yield "a pre-history after the start", "hereditary/oscillator_standard_free.json", [
        ("/hereditary/element/prehistory", {"kind": "table", "points": [[-1, 0], [1, 1]]})]
    yield "a section that was stretched before", "hereditary/creeping_boom.json", [
        ("/sections/blade/hereditary/prehistory", {"kind": "constant", "deformation": 1})]
    yield "a hereditary element of no length", "hereditary/oscillator_standard_free.json", [
        ("/points/mass", [0, 0])]

    # Loads, start, analysis.
    yield "a load on nothing", "loads.json", [("/loads/wind/on", GONE)]
    yield "a load at a point and on a rod", "loads.json", [("/loads/wind/at", "top")]
    yield "a load that is none", "loads.json", [("/loads/motor", {"at": "top"})]
    yield "a moment where nothing turns", "features/laws.json", [("/loads/a/moment", 1)]
    yield "a moment on one of many", solar, [("/loads", {"m": {"at": "knee1", "moment": 1}})]
    yield "a force that leaves the plane", "loads.json", [("/loads/motor/force", [0, 0, 1])]
    yield "a velocity that is given twice", "constraints/expressions.json", [
        ("/particles/hare/velocity", [1, 1])]
    yield "a velocity of nothing", "constraints/expressions.json", [("/initial/velocity/R", [1, 1])]
    yield "a rate of a rod", "tumbling_frame.json", [("/initial/rate", {"arm": 1})]
    yield "a start file that is missing", arm, [("/initial", {"from": "statics.h5"})]
    yield "a start file that is none", units, [("/initial", {"from": "turn.csv"})]
    yield "a run that ends before it starts", arm, [("/analysis/end", -5)]
    yield "an output that is too dense", arm, [("/analysis/output/every", 1e-12)]
    yield "an output of never", arm, [("/analysis/output/every", 0)]
    yield "a step and a tolerance", arm, [
        ("/analysis/method", {"kind": "generalized_alpha", "step": 1e-3, "tolerance": 1e-6})]
    yield "a spectral radius above 1", arm, [
        ("/analysis/method", {"kind": "generalized_alpha", "spectral_radius": 1.1})]
    yield "a frequency limit beyond contraction", arm, [("/analysis/method/frequency_limit", 3)]
    yield "a key of another method", arm, [
        ("/analysis/method", {"kind": "arc_length", "step": 1e-3})]
    yield "a path's key without path", arm, [("/analysis/statics", {"max_load": 2})]
    yield "no modes at all", arm, [("/analysis/modes", {"count": 0})]
    yield "modes about the end", arm, [("/analysis/modes", {"about": "end"})]
    yield "a frame that does not move", arm, [("/frame", {})]
    yield "a frame that jumps", laws, [("/frame", {"angle": "pulse"})]
    yield "gravity as a number", arm, [("/gravity", 9.81)]
    yield "gravity with its unit", arm, [("/gravity", [0, "-9.81 m/s^2"])]
    yield "nothing that moves", arm, [("/rods", GONE), ("/hinges", GONE), ("/bodies", GONE)]
    yield "a part in a list", arm, [
        ("/rods", [{"name": "arm", "section": "bar", "from": "O", "to": "A"}])]


def impossible_cases():
    for family, name, edits, *files in cases_that_cannot_be():
        case = load_case(name)
        for pointer, value in edits:
            case = edited(case, pointer, value)
        pointer, value = edits[0]
        yield Mutation(family, name, pointer, shown(value), to_text(case), *files)


def damaged_files(names, rng):
    for family, name, text in damaged_texts(names, rng):
        encoding = "latin-1" if "UTF-8" in family else "utf-8"
        yield Mutation(family, name, "", "…", text, encoding=encoding)


def choose(seed, all_of_them=False):
    """Mutations in a fixed order: all that need thought, and of the many others some of every
    family."""
    rng = random.Random(seed)
    names = MUTATED
    if all_of_them:
        names = sorted(str(path.relative_to(CASES)) for path in CASES.rglob("*.json"))
    chosen = [*impossible_cases(), *damaged_files(names, rng)]
    by_family = {}
    for mutation in single_mutations(names, rng):
        by_family.setdefault(mutation.family, []).append(mutation)
    for found in by_family.values():
        chosen += found if all_of_them else rng.sample(found, min(len(found), OF_EACH_FAMILY))
    return chosen
