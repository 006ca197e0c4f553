"""The pictures of a results file that `plot` writes and `report` shows."""

from pathlib import Path

from fem_post.command import positive, say


def declare_pictures(parser):
    """Arguments of the pictures: the interval of configurations, a mark in the energy ledger."""
    parser.add_argument("--every", type=positive, metavar="SECONDS",
                        help="time between two configurations; by default a fortieth of the run, "
                             "rounded to 1, 2 or 5: 0.5 for 20 s")
    parser.add_argument("--balance-limit", type=positive, metavar="X",
                        help="mark X, relative to the largest energy, in the energy picture")


def _makers(results, title, every, balance_limit):
    """[(suffix, heading, dataset that it needs, why there may be none, maker of the figure)]."""
    from fem_post.configurations import configurations_figure
    from fem_post.histories import energy_figure, hinges_figure, nodes_figure
    from fem_post.modes import modes_figure
    from fem_post.paths import path_figure

    limits = [(balance_limit, "limit")] if balance_limit else []
    makers = [("configurations", "Configurations", "points/position", "",
               lambda: configurations_figure(results, title, every))]
    if results.analysis == "modes":
        return makers + [("modes", "Modes", "modes/shape", "it has no modes",
                          lambda: modes_figure(results, title))]
    if results.analysis == "statics":
        return makers + [("path", "Load and displacement", "points/position",
                          "nothing moves, or it has less than three points",
                          lambda: path_figure(results, title))]
    makers.append(("nodes", "Coordinates", "points/position", "nothing moves",
                   lambda: nodes_figure(results, title)))
    if results.hinges or results.bodies:
        makers.append(("hinges", "Hinges and bodies", "time", "one instant is no history",
                       lambda: hinges_figure(results, title)))
    return makers + [("energy", "Energy", "energy/kinetic", "one instant is no history",
                      lambda: energy_figure(results, title, limits))]


def pictures(results, title, every, balance_limit):
    """[(suffix, heading, figure)] of the pictures that the results have data for."""
    found = []
    for suffix, heading, needed, none, make in _makers(results, title, every, balance_limit):
        there = results.rows and results.has(needed)
        figure = make() if there else None
        if figure is None:
            say(f"no picture of {suffix}: {none if there else 'no data for it in the file'}")
        else:
            found.append((suffix, heading, figure))
    return found


def declare_output(parser):
    """Arguments of the files that pictures are written to."""
    parser.add_argument("-o", "--output", type=Path, metavar="DIR",
                        help="folder of the pictures; by default that of the results")
    parser.add_argument("--format", choices=("png", "pdf", "svg"), default="png")
    parser.add_argument("--dpi", type=positive, metavar="N", default=200,
                        help="dots an inch of PNG pictures; by default 200")
