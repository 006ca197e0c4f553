"""A case file from Python: numpy views, a run steered from outside, errors.

    PYTHONPATH=PREFIX/lib/python3/dist-packages /usr/bin/python3 two_rods.py CASE.json
"""

import sys

import numpy as np

import libfem


def follow(case):
    """The path of the tip, and what happened."""
    run = libfem.Simulation(case)
    tip = run.points.index("B")
    path = []
    for t in np.linspace(0, run.end, 7):
        run.advance_to(t)
        path.append(run["/points/position"][tip])  # a view of the library's own numbers
        print(f"t = {run.time:.1f} s: elbow at {run['/hinges/elbow/angle']:7.4f} rad, "
              f"balance {run['/energy/balance']:.1e} J")
    for time, name, what in run.events:
        print(f"{time:.6f} s: {name} {what}")
    return np.array(path)


def steer():
    """A wheel whose motor is turned by a controller; the case is a dict."""
    run = libfem.Simulation({
        "libfem": 1,
        "points": {"O": [0, 0]},
        "bodies": {"base": {"at": "O", "mass": 1, "inertia": 1},
                   "wheel": {"at": "O", "mass": 1, "inertia": 0.5}},
        "hinges": {"axle": {"at": "O", "members": ["base", "wheel"]}},
        "supports": {"O": {"fix": ["x", "y", "angle"], "rod": "base"}},
        "laws": {"motor": {"kind": "constant", "value": 0}},
        "loads": {"motor": {"at": "O", "rod": "wheel", "moment": "motor"}},
        "analysis": {"end": 5},
    })
    motor = run.law("motor")
    for t in np.arange(0.02, 5, 0.02):
        motor.set_value(2 * (1 - run["/hinges/axle/angle"]) - 1.8 * run["/hinges/axle/rate"])
        run.advance_to(t)
    return run["/hinges/axle/angle"]


def main():
    path = follow(sys.argv[1])
    print("the tip has moved by", np.round(path[-1] - path[0], 4), "m")
    print(f"the wheel stands at {steer():.4f} rad")
    try:
        libfem.Simulation({"libfem": 1, "pionts": {}})
    except libfem.InputError as error:
        print("refused:", str(error).splitlines()[-1])  # one line a problem


if __name__ == "__main__":
    main()
