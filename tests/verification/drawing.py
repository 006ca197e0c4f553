"""The pictures' common parts. Colours are told apart with every kind of colour vision."""

import numpy as np

import problem  # noqa: F401  (sets the path to fem_post)
from fem_post.style import BLACK, BLUE, GREEN, GREY, ORANGE, PURPLE, SKY, VERMILION  # noqa: F401

# How the references' quantities are written in pictures.
SYMBOLS = {"omega": "ω", "phi": "φ", "phid": "φ̇", "rho": "ρ", "rhod": "ρ̇", "theta": "θ",
           "thetad": "θ̇", "theta1": "θ₁", "omega1": "ω₁", "reaction_N": "N",
           "knife_reaction_N": "N",
           "R0": "R₀", "rheonomic_reaction_R0": "R₀", "base_force_Cx_plus_P": "C x + P",
           "driving_torque": "torque", "elbow_torque": "torque", "E_ext": "E", "y_rel": "y",
           "x1": "x₁", "y1": "y₁", "z1": "z₁", "x2": "x₂", "y2": "y₂", "P0": "P₀", "P1": "P₁",
           "P2": "P₂", "P3": "P₃", "P12": "P₁₂", "P13": "P₁₃", "P23": "P₂₃", "xC": "x", "yC": "y"}
COLOURS = (BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY)
REFERENCE = {"linestyle": "none", "marker": "o", "markersize": 5.5, "markerfacecolor": "none",
             "markeredgecolor": BLACK, "markeredgewidth": 1.1}


def panels(figure, columns=2, rows=1):
    """Axes side by side, with room for their labels."""
    grid = figure.subplots(rows, columns, squeeze=False)
    return grid.ravel()


def finish(figure):
    figure.tight_layout(pad=0.8, w_pad=2.0, h_pad=1.2)


def marks(axes, x, y, label="reference"):
    """The reference's values: hollow circles over our lines."""
    axes.plot(x, y, label=label, **REFERENCE)


def histories(axes, r, quantities, reference):
    """Histories {name: (unit, take(results))} with the reference's values."""
    names = list(quantities)
    for name, color in zip(names, COLOURS):
        axes.plot(r.time, quantities[name][1](r), color=color, label=SYMBOLS.get(name, name))
        marks(axes, reference["times"], reference["values"][name],
              "reference" if name == names[-1] else None)
    by_unit = {}
    for name in names:
        by_unit.setdefault(quantities[name][0], []).append(SYMBOLS.get(name, name))
    axes.set_xlabel("t (s)")
    axes.set_ylabel(", ".join(f"{', '.join(group)} ({unit.replace(' ', '·')})"
                              for unit, group in by_unit.items()))
    legend(axes, 4)


def convergence(axes, sizes, errors, order, label, color=BLUE, marker="o", anchor=0):
    """Errors over a number of elements (or a step), and a line of the order through one of them."""
    sizes, errors = np.array(sizes, float), np.array(errors, float)
    said = f"order {abs(order)}"
    known = any(line.get_label() == said for line in axes.get_lines())
    axes.loglog(sizes, errors[anchor] * (sizes / sizes[anchor]) ** order, color=GREY, linewidth=1.0,
                linestyle="--", label=None if known else said)
    axes.loglog(sizes, errors, color=color, marker=marker, markersize=5, label=label)


def elements_axis(axes, sizes, label="elements"):
    axes.set_xticks(sizes, [f"{n:g}" for n in sizes])
    axes.minorticks_off()
    axes.set_xlabel(label)


def legend(axes, columns=2):
    """Above the axes, where it hides nothing."""
    axes.legend(loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncols=columns, fontsize=8.5,
                borderaxespad=0.2, columnspacing=1.0, handlelength=1.6)


def plane(axes, unit="m"):
    """Axes of a picture of the structure."""
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel(f"X ({unit})")
    axes.set_ylabel(f"Y ({unit})")


def shape(results, rod_nodes, row):
    """Places of nodes by name in one row, [nodes, 2]."""
    return np.array([results.point(name)[row] for name in rod_nodes])


def rod_nodes(rod, first, last, elements):
    return [first, *(f"{rod}/{k}" for k in range(1, elements)), last]
