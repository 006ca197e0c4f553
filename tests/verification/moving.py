"""Constraints of rates and moving frames, against moving_reference.json."""

import json

import numpy as np

import drawing as d
from problem import Problem, Row, worst_rows
from results import HERE, edited, run
from test_constraints import ChaplyginSleigh, Osinski
from test_constraints import steps as constraint_steps
from test_frames import steps as frame_steps

REFERENCE = {case["id"]: case for case in
             json.loads((HERE / "moving_reference.json").read_text(encoding="utf-8"))["cases"]}
ACCURACY = "closed forms, or an integrator of order 16 in 80 bits: 1e-13"


def point(name, axis, what="position"):
    return lambda r: r["points/" + what][:, r.names.index(name), axis]


def history(path, sign=1.0, offset=0.0):
    return lambda r: sign * r[path] + offset


def histories(r, quantities, reference, chosen):
    """A picture of histories in pairs of panels, with the reference's values."""
    def draw(figure):
        for axes, names in zip(d.panels(figure), chosen):
            d.histories(axes, r, {name: quantities[name] for name in names}, reference)
        d.finish(figure)
    return draw


def compared(title, source, key, case, quantities, demanded, chosen, text, change, settings):
    reference = REFERENCE[key]
    r = run(case, change)
    rows = worst_rows(r, quantities, reference, demanded)
    return Problem(title, source, ACCURACY, [case], settings, rows, text,
                   histories(r, quantities, reference, chosen))


def angle(r):
    return Osinski.angle(r)


def turning(r):
    x, y = (r.point("2") - r.point("1")).T
    u, v = (r.point("2", "velocity") - r.point("1", "velocity")).T
    return (x * v - y * u) / (x * x + y * y)


def along(r):
    u, v = r.point("2", "velocity").T
    return u * np.cos(angle(r)) + v * np.sin(angle(r))


def dumbbell():
    quantities = {"x1": ("m", point("1", 0)), "y1": ("m", point("1", 1)),
                  "x2": ("m", point("2", 0)), "y2": ("m", point("2", 1)),
                  "phi": ("rad", angle), "v": ("m/s", along), "omega": ("rad/s", turning),
                  "knife_reaction_N": ("N", history("constraints/edge/multiplier")),
                  "kinetic_energy": ("J", history("energy/kinetic"))}
    return compared(
        "Two points on a rod with a knife edge", "Osiński 2000, example 1", "i1_osinski_ex1_free",
        "constraints/osinski_dumbbell.json", quantities, 1e-6, (("x1", "y1"), ("v", "omega")),
        "The rod turns around and ends up sliding backwards.", constraint_steps(0.01),
        "ω_max Δt ≤ 0.01")


def sledge():
    def speed(r):
        u, v = r.point("C", "velocity").T
        phi = r["bodies/sledge/angle"] + 0.2
        return u * np.cos(phi) + v * np.sin(phi)

    quantities = {"x": ("m", point("C", 0)), "y": ("m", point("C", 1)),
                  "phi": ("rad", history("bodies/sledge/angle", 1, 0.2)), "V": ("m/s", speed),
                  "omega": ("rad/s", history("bodies/sledge/rate")),
                  "reaction_N": ("N", history("constraints/edge/multiplier")),
                  "kinetic_energy": ("J", history("energy/kinetic")),
                  "work": ("J", history("energy/external_work"))}
    return compared(
        "A sledge under a force of fixed direction", "Osiński 2000, example 2", "i2_osinski_ex2",
        "constraints/osinski_sledge.json", quantities, 1e-6, (("x", "y"), ("V", "reaction_N")),
        "A knife edge at the centre of mass.", constraint_steps(0.01), "ω_max Δt ≤ 0.01")


SLEIGH = "constraints/chaplygin_sleigh.json"


def chaplygin():
    """m = J = a = 1 in closed form, and the reference's sleigh of other numbers."""
    closed = run(SLEIGH, constraint_steps(0.01))
    k, t = ChaplyginSleigh.K, closed.time
    phi = closed["bodies/sleigh/angle"]
    u, v = closed.point("C", "velocity").T
    speed = u * np.cos(phi) + v * np.sin(phi)
    rows = []
    for name, unit, ours, exact in (
            ("speed", "m/s", speed, k * np.tanh(t / k)),
            ("rate", "rad/s", closed["bodies/sleigh/rate"], 1 / np.cosh(t / k)),
            ("angle", "rad", phi, k * 2 * np.arctan(np.tanh(t / k / 2)))):
        worst = int(np.argmax(abs(ours - exact)))
        rows.append(Row(f"{name}, m = J = a = 1", f"{t[worst]:g} s, where it is worst", ours[worst],
                        exact[worst], 2e-7, unit))
    rows.append(Row("whole turn, m = J = a = 1", "20 s", phi[-1], 2.22144146908, 3e-6, "rad"))

    reference = REFERENCE["i3_chaplygin_sledge"]

    def other(case):
        constraint_steps(0.01)(case)
        case["bodies"]["sleigh"].update(mass=2.0, inertia=0.3 + 2.0 * 0.4**2,
                                        center=[0.4 * np.cos(0.1), 0.4 * np.sin(0.1)])
        case["constraints"]["edge"]["direction"] = 0.1
        case["initial"] = {"rate": {"sleigh": 1.5},
                           "velocity": {"C": [-0.5 * np.cos(0.1), -0.5 * np.sin(0.1)]}}
        case["analysis"].update(end=5, output={"every": 0.05})

    def axial(r):
        u, v = r.point("C", "velocity").T
        phi = r["bodies/sleigh/angle"] + 0.1
        return u * np.cos(phi) + v * np.sin(phi)

    r = run(edited(SLEIGH, other))
    quantities = {"xC": ("m", point("C", 0)), "yC": ("m", point("C", 1)),
                  "phi": ("rad", history("bodies/sleigh/angle", 1, 0.1)), "v": ("m/s", axial),
                  "omega": ("rad/s", history("bodies/sleigh/rate")),
                  "reaction_N": ("N", history("constraints/edge/multiplier"))}
    rows += worst_rows(r, quantities, reference, 1e-6)
    return Problem(
        "Chaplygin's sleigh", "Chaplygin 1911; Osiński 2000, §3", "exact", [SLEIGH],
        "ω_max Δt ≤ 0.01; the case, and one of m = 2 kg, J = 0.3 kg m², a = 0.4 m", rows,
        "The second sleigh starts backwards and turns round.",
        histories(r, quantities, reference, (("xC", "yC"), ("v", "omega", "reaction_N"))))


def sliding_line():
    quantities = {"y_rel": ("m", point("P", 1)), "z": ("m", point("P", 2)),
                  "R0": ("N", history("laws/slide/reaction")),
                  "P": ("J", history("laws/slide/potential")),
                  "E_ext": ("J", history("rheonomic/extended_energy"))}
    reference = REFERENCE["h1a_musicki"]
    r = run("frames/sliding_line.json", frame_steps(0.005))
    rows = worst_rows(r, quantities, reference, 1e-6)
    rows = [row if row.what != "E_ext" else  # a difference of energies up to 224 J
            Row(row.what, row.at, row.ours, row.theirs, 1e-6, row.unit, 224) for row in rows]
    return Problem(
        "A particle on a sliding wire in a turning frame", "Mušicki 2002, §7, corrected", ACCURACY,
        ["frames/sliding_line.json"], "ω_max Δt ≤ 0.005", rows,
        "The particle's energy in the frame is not kept, for the wire's motion does work; with the "
        "rheonomic potential P added it is (E_ext, a small difference of energies up to 224 J, by "
        "which it is judged). R0 is the reaction on the law of the wire.",
        histories(r, quantities, reference, (("y_rel", "z"), ("R0", "P", "E_ext"))))


def free_particle():
    quantities = {"x": ("m", point("P", 0)), "y": ("m", point("P", 1)),
                  "vx": ("m/s", point("P", 0, "velocity")),
                  "vy": ("m/s", point("P", 1, "velocity"))}
    return compared(
        "A free particle seen from an accelerated, turning frame", "Mušicki 2002, (3.1)–(6.5)",
        "h2_free_particle_euler", "frames/free_particle.json", quantities, 1e-6,
        (("x", "y"), ("vx", "vy")), "Transport, Coriolis, centrifugal and Euler forces at once; "
        "for an observer at rest it moves straight ahead.", frame_steps(0.005), "ω_max Δt ≤ 0.005")


def turning_pendulum():
    def theta(r):
        x, z = point("P", 0)(r), point("P", 2)(r)
        return np.arctan2(x, -z)

    def rate(r):
        x, z = point("P", 0)(r), point("P", 2)(r)
        u, w = point("P", 0, "velocity")(r), point("P", 2, "velocity")(r)
        return (x * w - z * u) / (x * x + z * z)

    quantities = {"theta": ("rad", theta), "thetad": ("rad/s", rate),
                  "driving_torque": ("N m", history("laws/turn/reaction"))}
    return compared(
        "A pendulum in a turning plane", "Mušicki 2002, (3.4), (6.15)",
        "h4_pendulum_rotating_plane", "frames/turning_pendulum.json", quantities, 1e-5,
        (("theta",), ("thetad", "driving_torque")),
        "The plane turns about the vertical at 2.5 rad/s; the torque that drives it is the "
        "reaction on its law.", frame_steps(0.005), "ω_max Δt ≤ 0.005")


PROBLEMS = [dumbbell, sledge, chaplygin, sliding_line, free_particle, turning_pendulum]
