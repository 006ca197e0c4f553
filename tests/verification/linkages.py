"""Rigid linkages: pendulum A01, double pendulum, four-bars A02, a latching hinge."""

import numpy as np

import drawing as d
from problem import Problem, Row
from results import method, run
from test_linkages import DoublePendulum, FourBars, LatchingHinge, Pendulum, crossings, tolerance


def places(r, name, exact, demanded):
    return [Row(f"{name} {'XY'[axis]}", f"{t} s", r.point(name)[r.row(t), axis], xy[axis], demanded,
                "m") for t, xy in exact.items() for axis in (0, 1)]


def largest(r, name, exact):
    return max(abs(r.point(name)[r.row(t)] - xy).max() for t, xy in exact.items())


def pendulum():
    def late(case):
        case["analysis"].update(end=100, output={"every": 1})

    r = run(Pendulum.CASE)
    rows = places(r, "bob", Pendulum.EXACT, 1e-6)
    rows += places(run(Pendulum.CASE, late), "bob", Pendulum.EXACT_LATE, 1e-5)
    through = crossings(r.time, r.point("bob")[:, 0], r.point("bob", "velocity")[:, 0])
    rows.append(Row("period", "mean of 10 s", np.mean(through[2:] - through[:-2]), Pendulum.PERIOD,
                    1e-6, "s"))
    tolerances = (1e-8, 1e-9, 1e-10, 1e-11, 1e-12)
    steps, errors, balance = [], [], []
    for local in tolerances:
        fine = run(Pendulum.CASE, lambda case: tolerance(case, local))
        steps.append(fine.summary["steps"])
        errors.append(largest(fine, "bob", Pendulum.EXACT))
        balance.append(abs(fine["energy/balance"]).max() / fine["energy/kinetic"].max())

    def draw(figure):
        left, right = d.panels(figure)
        for axis, color in ((0, d.BLUE), (1, d.VERMILION)):
            left.plot(r.time, r.point("bob")[:, axis], color=color, label="XY"[axis])
            d.marks(left, list(Pendulum.EXACT), [xy[axis] for xy in Pendulum.EXACT.values()],
                    "exact" if axis else None)
        left.set_xlabel("t (s)")
        left.set_ylabel("place of the bob (m)")
        d.legend(left, 3)
        d.convergence(right, steps, balance, -2, "energy balance (–)")
        right.plot(steps, errors, color=d.VERMILION, marker="s", markersize=5, linestyle="none",
                   label="place (m)")
        right.set_xlabel("steps")
        right.set_ylabel("largest error")
        d.legend(right)
        d.finish(figure)

    return Problem(
        "Pendulum A01", "multibody benchmark A01 (IFToMM)", "exact, elliptic functions, 12 digits",
        [Pendulum.CASE], "rigid; default settings", rows,
        "Right: errors over the number of steps, as the local tolerance goes from 1e-8 to 1e-12: "
        "of the energy, in parts of the largest kinetic one, and of the places at 5 and 10 s, "
        "where errors of the phase may cancel.", draw)


def double_pendulum():
    r = run("benchmarks/double_pendulum.json",
            lambda case: case["analysis"].update(output={"every": 0.01}))
    exact = DoublePendulum.EXACT

    def draw(figure):
        left, right = d.panels(figure)
        left.plot(*r.point("tip").T, color=d.BLUE, label="tip")
        left.plot(*r.point("elbow").T, color=d.VERMILION,
                  label="elbow")
        d.marks(left, *np.array(list(exact.values())).T, "reference")
        d.plane(left)
        d.legend(left, 3)
        right.plot(r.time, r["energy/balance"] / r["energy/kinetic"].max(), color=d.BLUE)
        right.set_xlabel("t (s)")
        right.set_ylabel("balance / largest kinetic energy")
        d.finish(figure)

    return Problem(
        "Rigid double pendulum", "textbook; chaotic", "an independent integration, 9 digits",
        ["benchmarks/double_pendulum.json"], "rigid; default settings",
        places(r, "tip", exact, 5e-7),
        "Left: paths of both masses. Right: what does not close in the energy.", draw)


def four_bars():
    exact = FourBars.EXACT
    r = run("benchmarks/four_bars.json")
    rows = places(r, "B0", exact, 1e-5)
    limits, errors = (0.08, 0.04, 0.02, 0.01, 0.005), []
    for limit in limits:
        fine = run("benchmarks/four_bars.json", lambda case: method(case, frequency_limit=limit))
        errors.append(largest(fine, "B0", exact))
    rows += [Row(row.what, row.at + ", ω_max Δt ≤ 0.005", row.ours, row.theirs, 1e-8, "m")
             for row in places(fine, "B0", exact, 1e-8)]

    def draw(figure):
        left, right = d.panels(figure)
        for axis, color in ((0, d.BLUE), (1, d.VERMILION)):
            left.plot(r.time, r.point("B0")[:, axis], color=color, label="XY"[axis])
            d.marks(left, list(exact), [xy[axis] for xy in exact.values()],
                    "exact" if axis else None)
        flat = crossings(r.time, r.point("B0")[:, 1], r.point("B0", "velocity")[:, 1])
        for k, t in enumerate(flat):
            left.axvline(t, color=d.GREY, linestyle=":", linewidth=1.0,
                         label=None if k else "singular pose")
        left.set_xlabel("t (s)")
        left.set_ylabel("place of B0 (m)")
        d.legend(left, 4)
        d.convergence(right, limits, errors, 2, "t ≤ 10 s", anchor=-1)
        right.set_xlabel("limit of ω_max Δt")
        right.set_ylabel("largest error of B0 (m)")
        d.elements_axis(right, limits, "limit of ω_max Δt")
        d.legend(right)
        d.finish(figure)

    return Problem(
        "Two four-bars A02 through seven singular poses", "multibody benchmark A02 (IFToMM), N = 2",
        "exact reduction to one angle, 11 digits", ["benchmarks/four_bars.json"],
        "rigid; local tolerance 1e-11; then steps of ω_max Δt ≤ 0.005", rows,
        "Left: where the bars lie flat (dotted) the loops could go on in several ways and the rank "
        "of the constraints drops; the smooth motion goes through. Right: with the steps the error "
        "tends to zero with order 2, through all seven.", draw)


def latching_hinge():
    exact = LatchingHinge.EXACT
    r = run("benchmarks/latching_hinge.json", lambda case: case["analysis"].update(
        output={"every": 0.01}))
    (instant, _, what), = r.events()
    rate = float(what.decode().split("rate ")[1].split(" rad/s")[0])
    rows = [Row("instant of the latch", "", instant, exact["instant"], 3e-7, "s"),
            Row("rate before it (six digits are told)", "", rate, exact["rate"], 5e-6, "rad/s"),
            Row("energy that it takes", "", r["energy/dissipated"][-1], exact["loss"], 4e-6, "J")]

    def draw(figure):
        left, right = d.panels(figure)
        t = np.linspace(0, exact["instant"], 60)
        left.plot(r.time, r["hinges/hinge/angle"], color=d.BLUE, label="angle (rad)")
        left.plot(r.time, r["hinges/hinge/rate"], color=d.VERMILION, label="rate (rad/s)")
        d.marks(left, t[::6], np.pi * (1 - np.cos(t[::6])), "exact")
        d.marks(left, t[::6], np.pi * np.sin(t[::6]), None)
        left.set_xlabel("t (s)")
        left.set_ylabel("hinge (rad, rad/s)")
        d.legend(left, 3)
        for name, color in (("kinetic", d.BLUE), ("springs", d.VERMILION), ("dissipated", d.GREEN)):
            right.plot(r.time, r[f"energy/{name}"], color=color, label=name)
        d.marks(right, [exact["instant"]], [exact["loss"]], "exact loss")
        right.set_xlabel("t (s)")
        right.set_ylabel("energy (J)")
        d.legend(right)
        d.finish(figure)

    return Problem(
        "A latching hinge", "textbook: a wheel on a torsion spring runs into its latch",
        "exact: π(1 − cos t), latched at t = π/3", ["benchmarks/latching_hinge.json"],
        "rigid; default settings", rows,
        "Left: angle and rate, stopped in an instant. Right: the energy of the motion goes into "
        "the latch.", draw)


PROBLEMS = [pendulum, double_pendulum, four_bars, latching_hinge]
