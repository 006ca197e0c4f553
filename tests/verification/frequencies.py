"""Natural frequencies: slender and thick rods, a rotating cantilever, Beck's column."""

import numpy as np

import drawing as d
from problem import Problem, Row, borrowed
from results import compute, edited, load_case
from test_frames import AtRest
from test_frequencies import CASES, REFERENCE, Frequencies

ENDS = {"ss": "simply supported", "cant": "cantilever", "free": "free"}
WAVE = {"ss": 3.14159, "cant": 1.87510, "free": 4.73004}  # βL of the first modes


def rods():
    rows, errors, sizes = [], {}, {"slender": (2, 4, 8, 16), "thick": (4, 8, 16, 32)}
    with borrowed(Frequencies) as test:
        for rod, limit in (("slender", 3e-9), ("thick", 1e-11)):
            for ends, name in ENDS.items():
                exact = REFERENCE[rod][ends]["exact"][0]
                tables = REFERENCE[rod][ends]["fe"]
                errors[rod, ends] = []
                for elements in sizes[rod]:
                    omega = test.bending(rod, ends, elements)
                    errors[rod, ends].append(abs(omega[0] / exact - 1))
                    if elements == 16 and "16" in tables:
                        table = tables["16"]
                        k = int(np.argmax(abs(omega[:len(table)] / table - 1)))
                        rows.append(Row(f"{rod}, {name}, mode {k + 1}, same element",
                                        "16 elements", omega[k], table[k], limit, "rad/s",
                                        table[k]))
                        # Of cubic elements with consistent masses: (βh)⁴/1440.
                        expected = 1.1 * (WAVE[ends] / 16)**4 / 1440 if rod == "slender" else None
                        rows.append(Row(f"{rod}, {name}, mode 1, Timoshenko", "16 elements",
                                        omega[0], exact, expected, "rad/s", exact))
        published = []
        for elements, expected in ((2, 4.8e-4), (4, 3.3e-5), (8, 2.1e-6), (16, 1.4e-7)):
            error = errors["slender", "cant"][sizes["slender"].index(elements)]
            published.append((elements, expected))
            rows.append(Row("error of mode 1, slender cantilever, two digits",
                            f"{elements} elements", error, expected, 0.04, "", expected))

    def draw(figure):
        for axes, rod, order in zip(d.panels(figure), sizes, (-4, -2)):
            for ends, color, marker in zip(ENDS, d.COLOURS, "osv"):
                d.convergence(axes, sizes[rod], errors[rod, ends], order, ENDS[ends], color, marker)
            d.elements_axis(axes, sizes[rod], f"elements, {rod} rod")
            axes.set_ylabel("relative error of mode 1")
            d.legend(axes)
        d.finish(figure)

    return Problem(
        "Frequencies of single rods", "Timoshenko's characteristic equations",
        "exact roots; tables of the same element by full matrices, good to 3e-9 (slender) and "
        "1e-11 (thick) by their own rounding",
        [f"benchmarks/modes_{thick}{name}.json" for thick in ("", "thick_")
         for name in CASES.values()],
        "2 to 32 elements", rows,
        "Differences are relative. Against Timoshenko's values it is the mesh's error that is "
        "seen, of a slender rod (βh)⁴/1440, h an element's length; of the thick one only the order "
        "is tested. A slender rod (the 10 mm bar of 2 m) converges with order 4, a thick one (1 m, "
        "200 mm high) with order 2.", draw)


def rotating_cantilever():
    expected = AtRest.CANTILEVER
    rows, ours = [], {}
    for rate in (0, 0.5, 1, 1.5, 2, 2.5, 3):
        def fine(case, rate=rate):
            AtRest.blade(rate, EA=1e9, GAs=1e9)(case)
            case["rods"]["blade"]["elements"] = 60

        modes = compute("modes", edited("frames/rotating_cantilever.json", fine))
        ours[rate] = 2 * np.pi * modes["modes/frequency"][:3]
        values = expected.get(rate, ())
        rows += [Row(f"λ of mode {k + 1}", f"γ = {rate}", ours[rate][k], value, 3e-7, "", value)
                 for k, value in enumerate(values)]

    def draw(figure):
        axes, = d.panels(figure, 1)
        for k, color in zip(range(3), d.COLOURS):
            rise = [ours[rate][k] / ours[0][k] - 1 for rate in ours]
            axes.plot(list(ours), rise, color=color, label=f"mode {k + 1}")
            d.marks(axes, list(expected), [v[k] / expected[0][k] - 1 for v in expected.values()],
                    "reference" if k == 2 else None)
        axes.set_xlabel("rate γ = ΩL²√(m/EI)")
        axes.set_ylabel("rise of λ = ωL²√(m/EI)")
        d.legend(axes, 4)
        d.finish(figure)

    return Problem(
        "Frequencies of a rotating cantilever", "inextensible Euler-Bernoulli beam in a frame",
        "converged values, 7 digits", ["frames/rotating_cantilever.json"],
        "60 elements, EA = GAs = 1e9 EI/L²", rows,
        "In the rotating frame; differences are relative.",
        draw, (5.2, 3.4))


def beck():
    case = load_case("benchmarks/flutter_beck.json")

    def pair(load):
        """Growth rate and frequencies of the lowest pair."""
        case["loads"]["P"]["force"] = [-float(load), 0]
        modes = compute("modes", case)
        return modes["modes/growth_rate"][0], modes["modes/angular_frequency"][:2]

    low, high = 20.0, 20.1
    while high - low > 1e-4:
        middle = (low + high) / 2
        low, high = (low, middle) if pair(middle)[0] > 0 else (middle, high)
    flutter, frequency = (low + high) / 2, pair(low)[1][0]
    loads = np.array([0, 5, 10, 14, 17, 19, 19.8, 20.04, 20.1, 21, 22, 24])
    curve = [pair(load) for load in loads]
    rows = [Row("load of flutter", "P L²/EI", flutter, 20.0509, 1e-3),
            Row("frequency where the modes meet", "ω L²√(m/EI)", frequency, 11.0156, 0.1)]

    def draw(figure):
        left, right = d.panels(figure)
        for k, color in ((0, d.BLUE), (1, d.VERMILION)):
            left.plot(loads, [f[k] for _, f in curve], color=color, label=f"mode {k + 1}")
        d.marks(left, 20.0509, 11.0156, "Beck")
        right.plot(loads, [g for g, _ in curve], color=d.BLUE)
        for axes, label in ((left, "ω L²√(m/EI)"), (right, "growth rate of the pair")):
            axes.set_xlabel("follower load P L²/EI")
            axes.set_ylabel(label)
        d.legend(left, 3)
        d.finish(figure)

    return Problem(
        "Beck's column: flutter under a follower load", "Beck 1952, ZAMP 3",
        "20.0509 and 11.0156, six digits", ["benchmarks/flutter_beck.json"],
        "32 elements; the load by bisection to 1e-4", rows,
        "Below the load of flutter the two lowest modes come nearer, beyond it one of the pair "
        "grows. Near the meeting frequencies go with the root of the load's distance: 1e-4 in the "
        "load is 0.05 in them.", draw)


PROBLEMS = [rods, rotating_cantilever, beck]
