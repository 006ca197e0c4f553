"""Elements that remember: 28 systems of Goroshko & Puchko and Hedrih, and relaxation itself."""

import numpy as np

import drawing as d
from problem import Problem, Row, worst_rows
from results import edited, load_case, run
from test_hereditary import CASES, REFERENCE, RELAXATION, USUAL

# Units by the names of the reference's quantities; other names are places, m.
UNITS = {"v": "m/s", "vx": "m/s", "vy": "m/s", "v1": "m/s", "v2": "m/s", "rhod": "m/s",
         "phi": "rad", "q": "rad", "theta1": "rad", "phid": "rad/s", "qd": "rad/s",
         "omega1": "rad/s", "M": "N m", "driving_torque": "N m", "elbow_torque": "N m",
         "P": "N", "P0": "N", "P1": "N", "P2": "N", "P3": "N", "P12": "N", "P13": "N", "P23": "N",
         "base_force_Cx_plus_P": "N", "rheonomic_reaction_R0": "N", "rheonomic_power": "W",
         "dissipated": "J", "external_work": "J", "work_external": "J", "work_rheonomic": "J"}


def unit(quantity):
    return UNITS.get(quantity, "m")


def pair(quantities):
    """What a picture shows: up to three places or angles, and up to three forces or moments."""
    motions = [q for q in quantities if unit(q) in ("m", "rad")]
    kinds = [unit(q) for q in motions]
    motions = [q for q in motions if unit(q) == kinds[0]][:3]
    forces = [q for q in quantities if unit(q) in ("N", "N m")][:3]
    return motions, forces


def system(name):
    """The problem of one case of cases/hereditary."""
    key, quantities = CASES[name]
    reference = REFERENCE[key]
    case = f"hereditary/{name}.json"

    def build():
        r = run(case)
        takes = {quantity: (unit(quantity), take) for quantity, take in quantities.items()}

        def draw(figure):
            for axes, chosen in zip(d.panels(figure), pair(quantities)):
                d.histories(axes, r, {name: takes[name] for name in chosen}, reference)
            d.finish(figure)

        source = reference["source"].replace("Goroshko", "Goroshko & Puchko 1997,").replace(
            "Hedrih", "Hedrih 2000,")
        return Problem(load_case(case)["title"], source,
                       f"{reference['method']}; stated accuracy {reference['stated_accuracy']}",
                       [case], "default steps and tolerances of the kernels",
                       worst_rows(r, takes, reference, USUAL), "", draw, (7.2, 2.9))

    build.__name__ = f"hereditary_{name}"
    return build


def relaxation():
    """Forces of single elements held after a step, with four pre-histories, five kernels."""
    def accurate(case, end):
        case["analysis"].update(end=end, output={"every": end / 200})
        for element in case["hereditary"].values():
            element["kernel"]["tolerance"] = 1e-9

    runs = [run(edited("hereditary/relaxation.json", lambda case: accurate(case, end)))
            for end in (0.1, 20.0)]
    elements = {kind + suffix: (f"c_{kind}_R", quantity)
                for kind in ("standard", "rzhanitsyn", "rabotnov", "koltunov", "slonimsky")
                for suffix, quantity in RELAXATION.items()}
    elements |= {f"{kind}_creep": (f"c_{kind}_K", "P_relaxation_step_y0")
                 for kind in ("standard", "rzhanitsyn", "rabotnov", "koltunov")}
    rows = []
    for element, (key, quantity) in elements.items():
        reference = REFERENCE[key]
        pairs = []
        for r in runs:
            force = r[f"hereditary/{element}/force"]
            for t, theirs in zip(reference["times"], reference["values"][quantity]):
                k = int(np.argmin(abs(r.time - t)))
                if abs(r.time[k] - t) < 1e-12:
                    pairs.append((abs(force[k] - theirs), t, force[k], theirs))
        _, t, ours, theirs = max(pairs)
        rows.append(Row(f"force of {element.replace('_', ' ')}", f"{t:g} s, where it is worst",
                        ours, theirs, 1.001e-9 * 9 * 0.1, "N"))

    def relaxes(axes, element, color, label, key, quantity, last):
        for r in runs:
            shown = r.time > 0 if r is runs[0] else r.time >= runs[0].time[-1]
            axes.plot(r.time[shown], r[f"hereditary/{element}/force"][shown], color=color,
                      label=label if r is runs[0] else None)
        d.marks(axes, REFERENCE[key]["times"], REFERENCE[key]["values"][quantity],
                "reference" if last else None)

    def draw(figure):
        left, right = d.panels(figure)
        for kind, color in zip(("standard", "rzhanitsyn", "rabotnov", "koltunov", "slonimsky"),
                               d.COLOURS):
            relaxes(left, kind, color, kind, f"c_{kind}_R", "P_relaxation_step_y0",
                    kind == "slonimsky")
        for (suffix, quantity), color in zip(RELAXATION.items(), d.COLOURS):
            relaxes(right, "rabotnov" + suffix, color, suffix[1:] or "natural", "c_rabotnov_R",
                    quantity, suffix == "_window")
        for axes in (left, right):
            axes.set_xscale("log")
            axes.set_xlabel("t (s)")
            axes.set_ylabel("force (N)")
            d.legend(axes, 3)
        d.finish(figure)

    return Problem(
        "Relaxation after four pre-histories", "Goroshko & Puchko 1997, (3)–(9)",
        "Laplace inversion in 60 digits, or spectral collocation; 1e-12",
        ["hereditary/relaxation.json"],
        "kernels asked for 1e-9; demanded: that, of c and all changes of the deformation", rows,
        "Left: five kernels after a step. Right: Rabotnov's with four pre-histories.", draw,
        (7.2, 3.6))


PROBLEMS = [system(name) for name in CASES] + [relaxation]
