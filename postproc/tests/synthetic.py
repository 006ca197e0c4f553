#!/usr/bin/python3
"""A results file without a solver: three rods unfold by prescribed angles, as in Danilin 2016.

Every rod is a circular arc of curvature κ (0: a rigid rotation), so positions and angles are known
exactly. As a program: `synthetic.py OUT.h5 [--bend 0.15]` writes such a file to look at.
"""

import argparse
import hashlib

import h5py
import numpy as np

ELEMENTS, LENGTH, ROWS, EVERY = 7, 2.0, 401, 0.05
MASS, INERTIA, EA, EI, GAS = 0.28, 2.3333333333333333e-6, 7.2e6, 60.0, 2.8e6
HEIGHT, MODULUS = 0.01, 7.2e10

CASE = """{
  // A comment, as people write them: "quoted" and // twice
  "libfem": 1,
  "title": "Three rods, synthetic",
  "points": {"O": [0, 0], "A": [2, 0], "B": [0, 0], "C": [2, 0]},
  "rods": {"rod1": {"from": "O", "to": "A", "elements": 7},
           "rod2": {"from": "A", "to": "B", "elements": 7},
           "rod3": {"from": "B", "to": "C", "elements": 7}},
  "hinges": {"hinge1": {"at": "A", "members": ["rod1", "rod2"], "drive": "first"},
             "hinge2": {"at": "B", "members": ["rod2", "rod3"], "drive": "second"}},
  "supports": {"O": {"fix": ["x", "y"], "angle": "root"}}, /* more
  of a comment */
  "analysis": {"end": 20, "method": {"kind": "arc_length", "local_tolerance": 1e-8}}
}
"""


def ramp(t, begin, end, change):
    """Twice differentiable from 0 at `begin` to `change` at `end`, with its rate."""
    x = np.clip((t - begin) / (end - begin), 0, 1)
    return (change * x ** 3 * (10 - 15 * x + 6 * x ** 2),
            change * 30 * x ** 2 * (1 - x) ** 2 / (end - begin))


def arc(start, angle, curvature, s):
    """Points [n, s, 2], angles [n, s] of arcs from `start` [n, 2] in the direction `angle` [n]."""
    angles = angle[:, None] + curvature[:, None] * s
    half = curvature[:, None] * s / 2
    chord = s * np.sinc(half / np.pi)
    middle = angle[:, None] + half
    offset = np.stack([chord * np.cos(middle), chord * np.sin(middle)], axis=-1)
    return start[:, None, :] + offset, angles


def motion(bend):
    """Everything that the file holds, as a dict of arrays; `bend` is the turn of a rod, rad."""
    t = EVERY * np.arange(ROWS)
    root, root_rate = ramp(t, 5, 15, np.pi / 2)
    first, first_rate = ramp(t, 0, 5, -np.pi)
    second, second_rate = ramp(t, 5, 10, -np.pi)
    swing = bend * np.sin(2 * np.pi * t / 3.7) * np.minimum(t / 3, 1)
    curvature = np.stack([swing, 0.6 * swing, 0.3 * swing]) / LENGTH
    relative = np.stack([root, first + np.pi, second + np.pi])
    s = np.linspace(0, LENGTH, ELEMENTS + 1)
    start, angle = np.zeros((ROWS, 2)), np.zeros(ROWS)
    chains = []
    for k in range(3):
        angle = angle + relative[k]
        points, angles = arc(start, angle, curvature[k], s)
        chains.append((points, angles, curvature[k]))
        start, angle = points[:, -1], angles[:, -1]
    rates = np.cumsum([root_rate, first_rate, second_rate], axis=0)
    kinetic = sum(MASS * LENGTH ** 3 / 6 * w ** 2 for w in rates)
    strain = sum(0.5 * EI * k ** 2 * LENGTH for k in curvature)
    return {"time": t, "chains": chains,
            "hinges": {"hinge1": first + np.pi, "hinge2": second + np.pi},
            "rates": {"hinge1": first_rate, "hinge2": second_rate},
            "kinetic": kinetic, "strain": strain}


def write(path, bend=0.0, rows=ROWS, finished=True, status=None, reason="", libver="earliest",
          swmr=False, fixed_strings=True):
    """Write the file and close it; with swmr=True leave it open for more and return it."""
    m = motion(bend)
    rows = min(rows, ROWS)
    status = status or ("complete" if finished else "running")
    file = h5py.File(path, "w", libver="latest" if swmr else libver)
    file.attrs["libfem_results"] = 1
    file.attrs["version"] = "0.1.0"
    file.attrs["status"] = status
    file.attrs["title"] = "Three rods, synthetic"
    file.attrs["case_sha256"] = hashlib.sha256(CASE.encode()).hexdigest()
    strings = (lambda texts: np.array([x.encode() for x in texts], dtype="S96")) if fixed_strings \
        else (lambda texts: np.array(texts, dtype=h5py.string_dtype()))
    file.create_dataset("case", data=CASE)

    def put(name, data, unit, meaning=""):
        data = np.asarray(data, float)[:rows]
        dataset = file.create_dataset(name, data=data, maxshape=(None, *data.shape[1:]),
                                      chunks=(64, *data.shape[1:]))
        dataset.attrs["unit"] = unit
        dataset.attrs["meaning"] = meaning or name

    chains = m["chains"]
    names = ["O", "A", "B", "C"]
    ends = [0, 1, 2, 3]
    track = [chains[0][0][:, 0], chains[0][0][:, -1], chains[1][0][:, -1], chains[2][0][:, -1]]
    nodes = []
    for k in range(3):
        inner = []
        for j in range(1, ELEMENTS):
            inner.append(len(names))
            names.append(f"rod{k + 1}/{j}")
            track.append(chains[k][0][:, j])
        nodes.append([ends[k], *inner, ends[k + 1]])
    position = np.zeros((ROWS, len(names), 3))
    position[..., :2] = np.stack(track, axis=1)
    file.create_dataset("points/names", data=strings(names))
    put("points/position", position, "m", "position")
    put("points/velocity", np.gradient(position, EVERY, axis=0), "m/s", "velocity")
    zero = np.zeros(ROWS)
    bar = file.create_group("sections/bar").attrs
    for key, value in (("EA", EA), ("EI", EI), ("GAs", GAS), ("height", HEIGHT), ("E", MODULUS)):
        bar[key] = value
    for k, (_, angles, curvature) in enumerate(chains):
        rod = f"rods/rod{k + 1}"
        attributes = file.create_group(rod).attrs
        attributes["section"], attributes["length"] = "bar", LENGTH
        attributes["alpha"] = 1 / (1 + 12 * EI / ((LENGTH / ELEMENTS) ** 2 * GAS))
        file.create_dataset(f"{rod}/nodes", data=np.array(nodes[k], dtype=np.int32))
        put(f"{rod}/angle", np.stack([angles[:, :-1], angles[:, 1:]], axis=-1), "rad")
        moment = np.repeat(EI * curvature[:, None, None], ELEMENTS, axis=1)
        put(f"{rod}/bending_moment", np.concatenate([moment, moment], axis=-1), "N m")
        for name, unit in (("axial_force", "N"), ("shear_force", "N"), ("axial_strain", "1")):
            put(f"{rod}/{name}", np.zeros((ROWS, ELEMENTS)), unit)
    for name, angle in m["hinges"].items():
        put(f"hinges/{name}/angle", angle, "rad")
        put(f"hinges/{name}/rate", m["rates"][name], "rad/s")
        moment = EI * chains[0 if name == "hinge1" else 1][2]
        put(f"hinges/{name}/moment", moment, "N m")
        put(f"hinges/{name}/drive_moment", moment, "N m")
    put("supports/O/force", np.zeros((ROWS, 2)), "N")
    put("supports/O/moment", EI * chains[0][2], "N m")
    balance = 1e-10 * np.cumsum(np.abs(np.sin(0.7 * np.arange(ROWS)))) / ROWS
    for name, data in (("kinetic", m["kinetic"]), ("strain", m["strain"]),
                       ("external_work", zero), ("rheonomic_work", m["kinetic"] + m["strain"]),
                       ("dissipated", zero), ("balance", balance)):
        put(f"energy/{name}", data, "J")
    for name, data in (("t", m["time"]), ("step", zero + 0.002), ("iterations", zero + 2.1),
                       ("local_error", zero + 4e-9), ("position_violation", zero + 3e-14),
                       ("velocity_violation", zero + 5e-13)):
        put(f"solver/{name}", data, "s" if name in ("t", "step") else "1")
    events = [(t, name, f"velocity jump, impulse {j:.3g} N m s, work {w:.3g} J")
              for t, name, j, w in
              ((0.0, "hinge1", 0.12, 0.5), (5.0, "hinge1", -0.3, -0.2), (5.0, "hinge2", 0.2, 0.1),
               (10.0, "hinge2", -0.21, 0.04), (15.0, "O", 0.33, -0.07))]
    file.create_dataset("events/time", data=np.array([e[0] for e in events]), maxshape=(None,))
    for column, name in ((1, "name"), (2, "what")):
        file.create_dataset(f"events/{name}", data=strings([e[column] for e in events]),
                            maxshape=(None,), chunks=(16,))
    put("time", m["time"], "s", "time")
    if finished:
        summary = file.create_group("summary").attrs
        summary["status"], summary["reason"] = status, reason
        summary["warnings"] = np.array([], dtype=h5py.string_dtype()) if status == "complete" \
            else np.array(["hinge1 turns by more than π"], dtype=h5py.string_dtype())
        energy = float(np.max((m["kinetic"] + m["strain"])[:rows]))
        for name, value in (("final_time", m["time"][rows - 1]), ("steps", 10234),
                            ("rejected_steps", 17), ("evaluations", 21811),
                            ("largest_energy", energy), ("worst_balance", balance[:rows].max()),
                            ("worst_position_violation", 3e-14),
                            ("worst_velocity_violation", 5e-13), ("ledger_tolerance", 1e-4),
                            ("wall_time", 1.83)):
            summary[name] = value
    if swmr:
        file.swmr_mode = True
        return file
    file.close()
    return path


MODES_CASE = """{"libfem": 1, "points": {"O": [0, 0], "A": [2, 0]},
"rods": {"beam": {"from": "O", "to": "A"}},
"supports": {"O": {"fix": ["y"]}, "A": {"fix": ["y"]}}}"""


def write_modes(path, vibrations=5):
    """What `fem modes` writes of a simply supported beam on rollers: sines, and a free motion."""
    nodes = np.linspace(0, LENGTH, ELEMENTS + 1)
    order = [0, ELEMENTS, *range(1, ELEMENTS)]  # named points first
    mass = MASS * LENGTH
    omega = [0.0] + [(k * np.pi / LENGTH) ** 2 * np.sqrt(EI / MASS)
                     for k in range(1, vibrations + 1)]
    shape = np.zeros((vibrations + 1, ELEMENTS + 1, 3))
    angle = np.zeros((vibrations + 1, ELEMENTS, 2))
    shape[0, :, 0] = 1 / np.sqrt(mass)
    for k in range(1, vibrations + 1):
        size = np.sqrt(2 / mass)
        shape[k, :, 1] = (size * np.sin(k * np.pi * nodes / LENGTH))[order]
        slope = size * k * np.pi / LENGTH * np.cos(k * np.pi * nodes / LENGTH)
        angle[k] = np.stack([slope[:-1], slope[1:]], axis=-1)
    with h5py.File(path, "w") as file:
        file.attrs["libfem_results"], file.attrs["analysis"] = 1, "modes"
        file.attrs["title"], file.attrs["status"] = "Beam on rollers", "complete"
        file["case"] = MODES_CASE
        file["time"] = np.zeros(1)
        names = ["O", "A", *(f"beam/{j}" for j in range(1, ELEMENTS))]
        file["points/names"] = np.array([n.encode() for n in names])
        position = np.zeros((1, ELEMENTS + 1, 3))
        position[0, :, 0] = nodes[order]
        file["points/position"] = position
        rod = file.create_group("rods/beam")
        rod["nodes"] = np.array([0, *range(2, ELEMENTS + 1), 1], dtype=np.int32)
        rod["angle"] = np.zeros((1, ELEMENTS, 2))
        rod.attrs["length"], rod.attrs["alpha"] = LENGTH, 1.0
        for name in ("O", "A"):
            file.create_group(f"supports/{name}")
        modes = file.create_group("modes")
        modes["angular_frequency"] = omega
        modes["growth_rate"] = np.zeros(vibrations + 1)
        modes["kind"] = np.array([b"free"] + [b"vibration"] * vibrations)
        modes["description"] = np.array([b"translation along X"] + [b"Y of beam"] * vibrations)
        modes["shape"] = shape
        modes["rods/beam/angle"] = angle
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("--bend", type=float, default=0.0, help="turn of a rod by bending, rad")
    arguments = parser.parse_args()
    write(arguments.out, arguments.bend)


if __name__ == "__main__":
    main()
