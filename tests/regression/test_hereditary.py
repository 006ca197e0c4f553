"""Cases of cases/hereditary against an independent computation of the same systems.

hereditary_reference.json holds it: standard bodies from the roots of their third-order equations or
by a Gragg-Bulirsch-Stoer integrator in 80 bits, weakly singular kernels by Laplace inversion in 60
digits or by spectral collocation of the Volterra equations; 1e-12 or better, all of it.

Errors are relative to the largest value of a quantity in the reference. The error of a run is that
of the integrator, of order 2: with the cases' own settings 1e-5, with tight ones 1e-8. The sums
of exponentials are asked for less than that.
"""

import copy
import json
import pathlib
import sys
import unittest

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "driver")]

from results import edited, run  # noqa: E402

REFERENCE = {case["id"]: case
             for case in json.loads((HERE / "hereditary_reference.json").read_text())["cases"]}

USUAL = 1e-5
TIGHT = 1e-8
SINGULAR = {"oscillator_rzhanitsyn", "oscillator_koltunov"}


def coordinate(point, axis, offset=0.0, sign=1.0):
    return lambda r: sign * (r.point(point)[:, axis] - offset)


def velocity(point, axis):
    return lambda r: r.point(point, "velocity")[:, axis]


def column(path, sign=1.0):
    return lambda r: sign * r[path]


def length(first, second, offset=0.0):
    def distance(r):
        d = r.point(second) - r.point(first)
        return np.hypot(d[:, 0], d[:, 1]) - offset
    return distance


def rate_of_length(first, second):
    def rate(r):
        d = r.point(second) - r.point(first)
        v = r.point(second, "velocity") - r.point(first, "velocity")
        return (d * v).sum(axis=1) / np.hypot(d[:, 0], d[:, 1])
    return rate


def direction(first, second):
    """Angle of the line between two points from X."""
    def angle(r):
        d = r.point(second) - r.point(first)
        return np.unwrap(np.arctan2(d[:, 1], d[:, 0]))
    return angle


def turning(first, second):
    def rate(r):
        d = r.point(second) - r.point(first)
        v = r.point(second, "velocity") - r.point(first, "velocity")
        return (d[:, 0] * v[:, 1] - d[:, 1] * v[:, 0]) / (d ** 2).sum(axis=1)
    return rate


def swing(r):
    d = r.point("bob") - r.point("pivot")
    return np.unwrap(np.arctan2(d[:, 0], -d[:, 1]))


def element(name, quantity="force"):
    return column(f"hereditary/{name}/{quantity}")


OSCILLATOR = {"y": coordinate("mass", 0, 1), "v": velocity("mass", 0), "P": element("element")}
WORKS = {"dissipated": column("energy/dissipated"),
         "external_work": column("energy/external_work")}
PENDULUM = {"rho": length("pivot", "bob", 1.2), "rhod": rate_of_length("pivot", "bob"),
            "phi": swing, "phid": turning("pivot", "bob"), "P": element("thread")}
TWO = {"x1": coordinate("one", 0), "y1": coordinate("one", 1), "x2": coordinate("two", 0),
       "y2": coordinate("two", 1), "rho": length("one", "two"), "phi": direction("one", "two"),
       "rhod": rate_of_length("one", "two"), "phid": turning("one", "two"),
       "P": element("element"), "dissipated": column("energy/dissipated")}
RHEONOMIC = {"rheonomic_reaction_R0": lambda name: element(name, "rheonomic_reaction"),
             "rheonomic_power": lambda name: element(name, "rheonomic_power"),
             "work_rheonomic": lambda name: column("energy/rheonomic_work")}


def rheonomic(name):
    return {quantity: make(name) for quantity, make in RHEONOMIC.items()}


PROTECTION = {"x": coordinate("body", 1, 5), "vx": velocity("body", 1),
              "y": lambda r: r.point("damper")[:, 1] - r.point("body")[:, 1] - 5,
              "vy": lambda r: (r.point("damper", "velocity") - r.point("body", "velocity"))[:, 1],
              "P": element("P"), "P0": element("P0"),
              "base_force_Cx_plus_P": lambda r: r["springs/C/force"] + r["hereditary/P/force"]}

# Case → reference and the quantities that both have.
CASES = {
    "oscillator_standard_free": ("a1_free_natural", OSCILLATOR | WORKS),
    "oscillator_standard_relaxed": ("a2_free_relaxed", OSCILLATOR | WORKS),
    "oscillator_standard_forced": ("a3_forced_cos", OSCILLATOR | WORKS),
    "oscillator_rzhanitsyn": ("b_rzhanitsyn_R_free", OSCILLATOR),
    "oscillator_rzhanitsyn_creep": ("b_rzhanitsyn_K_free", OSCILLATOR),
    "oscillator_rabotnov": ("b_rabotnov_R_free", OSCILLATOR),
    "oscillator_koltunov": ("b_koltunov_R_free", OSCILLATOR),
    "oscillator_koltunov_creep": ("b_koltunov_K_free", OSCILLATOR),
    "oscillator_slonimsky": ("b_slonimsky_R_free", OSCILLATOR),
    "oscillator_slonimsky_creep": ("b_slonimsky_K_free", OSCILLATOR),
    "oscillator_rzhanitsyn_forced": ("b_rzhanitsyn_R_forced", OSCILLATOR),
    "oscillator_rzhanitsyn_relaxed": ("b_rzhanitsyn_R_prehistory", OSCILLATOR),
    "oscillator_rabotnov_relaxed": ("b_rabotnov_R_prehistory", OSCILLATOR),
    "vibration_protection": ("d1_standard", PROTECTION | {"dissipated": WORKS["dissipated"]}),
    "vibration_protection_singular": ("d2_weakly_singular_R", PROTECTION),
    "pendulum": ("e1_pendulum_standard", PENDULUM | {"dissipated": WORKS["dissipated"]}),
    "pendulum_rzhanitsyn": ("e2_pendulum_rzhanitsyn_R", PENDULUM),
    "pendulum_slonimsky_creep": ("e4_pendulum_slonimsky_K", PENDULUM),
    "indeterminate": ("f1_indeterminate_standard", {
        "y1": coordinate("one", 0, 1), "v1": velocity("one", 0),
        "y2": lambda r: (r.point("two") - r.point("one"))[:, 0] - 1,
        "v2": lambda r: (r.point("two", "velocity") - r.point("one", "velocity"))[:, 0],
        "P1": element("P1"), "P2": element("P2"), "P3": element("P3")} | WORKS),
    "two_masses_forced": ("g1b_hedrih_ex2_fixed",
                          TWO | {"work_external": WORKS["external_work"]}),
    "two_masses_rheonomic": ("g2b_hedrih_ex6_free", TWO | rheonomic("element")),
    "three_masses": ("g3_hedrih_ex3", {
        "x1": coordinate("one", 0), "y1": coordinate("one", 1), "x2": coordinate("two", 0),
        "y2": coordinate("two", 1), "x3": coordinate("three", 0), "y3": coordinate("three", 1),
        "P12": element("P12"), "P13": element("P13"), "P23": element("P23"),
        "dissipated": WORKS["dissipated"]}),
    "oscillator_rheonomic": ("g5_hedrih_ex4_standard", {
        "x": coordinate("mass", 0, 1), "v": velocity("mass", 0), "P": element("element"),
        "dissipated": WORKS["dissipated"], "work_external": WORKS["external_work"]}
        | rheonomic("element")),
    "pendulum_rheonomic": ("g6_hedrih_ex5", PENDULUM | rheonomic("thread")
                           | {"dissipated": WORKS["dissipated"]}),
    "double_pendulum_elbow": ("j1_double_pendulum_standard_hinge", {
        "q": element("elbow", "deformation"), "qd": column("hinges/elbow/rate"),
        "M": element("elbow"), "driving_torque": column("supports/O/moment"),
        "work_rheonomic": column("energy/rheonomic_work"),
        "dissipated": WORKS["dissipated"]}),
    "double_pendulum_shoulder": ("j3_double_pendulum_prescribed_elbow", {
        "theta1": element("shoulder", "deformation"), "omega1": column("hinges/shoulder/rate"),
        "M": element("shoulder"), "elbow_torque": column("hinges/elbow/drive_moment"),
        "work_rheonomic": column("energy/rheonomic_work"),
        "dissipated": WORKS["dissipated"]}),
}


def largest_errors(name, change=None):
    """The largest relative error of every quantity, and the results."""
    reference, quantities = CASES[name]
    results = run(edited(f"hereditary/{name}.json", change))
    case = REFERENCE[reference]
    rows = [results.row(t) for t in case["times"]]
    errors = {}
    for quantity, take in quantities.items():
        expected = np.array(case["values"][quantity])
        scale = abs(expected).max()
        errors[quantity] = abs(take(results)[rows] - expected).max() / (scale if scale > 0 else 1)
    return errors, results


if __name__ == "__main__":
    for name in CASES:
        e, r = largest_errors(name)
        print(name, r.summary["steps"], {k: "%.1e" % v for k, v in e.items()})
