"""The three-rod deployment of Danilin 2016, with smooth and with the printed laws."""

import numpy as np

import drawing as d
from problem import Problem, Row
from results import run
from test_deployment import REFERENCE


def compared(r, laws, demanded):
    """Rows of the times at which each quantity is farthest off; the path of C at every other time;
    and the largest error of the places at every time."""
    reference = REFERENCE[laws]
    times = reference["times"]
    at = [r.row(t) for t in times]
    rows, off = [], np.zeros(len(times))
    for name in "ABC":
        theirs = np.array(reference["points"][name])
        ours = r.point(name)[at]
        off = np.maximum(off, abs(ours - theirs).max(axis=1))
        k = int(abs(ours - theirs).max(axis=1).argmax())
        rows += [Row(f"{name}, {axis}", f"{times[k]:g} s, where it is worst", ours[k, i],
                     theirs[k, i], demanded["place"], "m") for i, axis in enumerate("XY")]
    for t in times[1::2]:
        k = times.index(t)
        rows += [Row(f"C, {axis}", f"{t:g} s", r.point("C")[at[k], i],
                     reference["points"]["C"][k][i], demanded["place"], "m")
                 for i, axis in enumerate("XY")]
    columns = {"kinetic energy": ("J", r["energy/kinetic"], reference["kinetic_energy"]),
               "strain energy": ("J", r["energy/strain"], reference["strain_energy"])}
    if "moment" in demanded:
        drives = np.column_stack([r["supports/O/moment"], r["hinges/hinge1/drive_moment"],
                                  r["hinges/hinge2/drive_moment"]])
        for i, name in enumerate(("base", "hinge 1", "hinge 2")):
            columns[f"drive moment, {name}"] = (
                "N m", drives[:, i], np.array(reference["drive_moments"])[:, i])
    for name, (unit, ours, theirs) in columns.items():
        k = int(abs(ours[at] - theirs).argmax())
        kind = "moment" if unit == "N m" else "energy"
        rows.append(Row(name, f"{times[k]:g} s, where it is worst", ours[at[k]], theirs[k],
                        demanded[kind], unit))
    return rows, off


def picture(r, laws, off):
    def draw(figure):
        left, right = d.panels(figure)
        reference = REFERENCE[laws]
        for name, color in zip("ABC", d.COLOURS):
            left.plot(*r.point(name).T, color=color, label=name)
            d.marks(left, *np.array(reference["points"][name]).T,
                    "reference" if name == "C" else None)
        line = [*d.rod_nodes("rod1", "O", "A", 7), *d.rod_nodes("rod2", "A", "B", 7)[1:],
                *d.rod_nodes("rod3", "B", "C", 7)[1:]]
        for t in reference["times"]:
            left.plot(*d.shape(r, line, r.row(t)).T, color=d.GREY, linewidth=0.7, zorder=1)
        d.plane(left)
        d.legend(left, 4)
        right.semilogy(reference["times"], off, color=d.BLUE, marker="o", markersize=4,
                       label="places (m)")
        balance = abs(r["energy/balance"]) / r.energy().max()
        shown = balance > 1e-4 * balance.max()
        right.semilogy(r.time[shown], balance[shown], color=d.VERMILION, linewidth=0.8,
                       label="balance")
        right.set_xlabel("t (s)")
        right.set_ylabel("error of places (m), energy balance (–)")
        d.legend(right)
        d.finish(figure)
    return draw


SOURCE = "Danilin 2016, §2.7, PNRPU Mechanics Bulletin 4"
MESH = "7 elements a rod, the paper's field; the case's own settings (the paper's tolerances)"
HOW = ("an independent computation of the same element and mesh: coordinates without constraints, "
       "explicit Runge-Kutta of order 8 at 1e-11; ")


def smooth():
    r = run("three_rod_deployment_smooth.json")
    rows, off = compared(r, "smooth", {"place": 1e-6, "energy": 1e-6, "moment": 1e-4})
    return Problem(
        "Deployment of three rods, smooth laws", SOURCE, HOW + "accurate to 1e-9 m",
        ["three_rod_deployment_smooth.json"], MESH, rows,
        "Left: paths of the nodes and the configurations at the reference's times. Right: errors "
        "of the places, and what does not close in the energy, in parts of the largest.",
        picture(r, "smooth", off), (7.2, 3.9))


def printed():
    r = run("three_rod_deployment.json")
    rows, off = compared(r, "printed", {"place": 3e-4, "energy": 1e-3})
    return Problem(
        "Deployment of three rods, the printed laws", SOURCE, HOW + "accurate to 1e-8 m",
        ["three_rod_deployment.json"], MESH, rows,
        "The paper gives pictures only (its Figs. 6 and 7). Where the prescribed rates jump (0, 5, "
        "10, 15 s) waves start that ring in the undamped rods for ever: accelerations, axial "
        "forces and drive moments are not converged quantities and are not compared.",
        picture(r, "printed", off), (7.2, 3.9))


PROBLEMS = [smooth, printed]
