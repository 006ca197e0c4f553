"""A derivation as text: plain, or LaTeX for a document with amsmath."""

import re

import sympy as sp
from sympy.printing.latex import LatexPrinter
from sympy.printing.str import StrPrinter

from fem_post.derivation.system import Particle


class _Plain(StrPrinter):
    """open'(t) for the derivative of a law."""

    def _print_Derivative(self, expression):
        return _prime(self, expression, expression.derivative_count)


def _prime(printer, expression, count):
    name = expression.expr.func.__name__
    return f"{name}{chr(39) * int(count)}(t)"


class _Latex(LatexPrinter):
    def _print_Derivative(self, expression):
        dots = {1: "dot", 2: "ddot"}.get(int(expression.derivative_count), "dddot")
        return rf"\{dots}{{{_roman(expression.expr.func.__name__)}}}(t)"

    def _print_AppliedUndef(self, expression):
        return rf"{_roman(expression.func.__name__)}({self._print(expression.args[0])})"

    def _print_Function(self, expression, exp=None):
        if isinstance(expression, sp.core.function.AppliedUndef) and exp is None:
            return self._print_AppliedUndef(expression)
        return super()._print_Function(expression, exp)


def _roman(name):
    return rf"\mathrm{{{_escaped(name)}}}"


def _escaped(name):
    return re.sub(r"([_#%&$])", r"\\\1", name)


def plain(expression):
    """An expression as text."""
    return _Plain().doprint(expression)


def plain_matrix(matrix):
    """Rows in brackets, columns aligned."""
    if 0 in matrix.shape:
        return "[]"
    cells = [[plain(x) for x in matrix.row(i)] for i in range(matrix.rows)]
    widths = [max(len(row[j]) for row in cells) for j in range(matrix.cols)]
    return "\n".join("[ " + "  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip() + " ]"
                     for row in cells)


class Formulas:
    """The sections of a derivation: [(heading, [(left side, right side)])] of sympy expressions."""

    def __init__(self, derivation):
        self.d = derivation
        system, quasi = derivation.system, derivation.map
        self.velocities = [q.name for q in quasi.velocities]
        self.sections = [("Positions", self._positions(system))]
        C, E = [], []
        for p in derivation.parts:
            C.append((("C", p.part.name), p.C))
            if p.E is not None:
                E.append((("E", p.part.name), p.E))
        self.sections.append(("Matrices C (of positions) and E (of angles), by the coordinates",
                              C + E))
        inertial = []
        for p in derivation.parts:
            if isinstance(p.part, Particle):
                inertial += [(("F", p.part.name), p.part.force), (("F_B", p.part.name), p.force_b)]
            else:
                inertial += [(("S", p.part.name), p.part.force), (("S_B", p.part.name), p.force_b),
                             (("M", p.part.name), p.part.moment),
                             (("M_B", p.part.name), p.moment_b)]
        self.sections.append(("Forces and inertial forces of the parts, moments about the poles",
                              inertial))
        self.sections.append(("Generalized forces and generalized inertial forces",
                              [(("Q", ""), derivation.Q), (("Q_B", ""), derivation.Q_B)]))
        if not derivation.holonomic:
            self.sections.append(("Constraints, linear in the velocities",
                                  [(("0", row.name), row.residual) for row in quasi.rows]))
            by = sp.Matrix([q.v for q in quasi.velocities])
            motion = quasi.D * by + quasi.d if quasi.velocities else quasi.d
            self.sections.append(("Generalized velocities by quasi-velocities", [
                ((c.name + "'", ""), expression)
                for c, expression in zip(system.coordinates, motion)]))
            self.sections.append(("Matrix D", [(("D", ""), quasi.D)]))
            self.sections.append(("Quasi-generalized forces and inertial forces",
                                  [(("Phi", ""), derivation.Phi),
                                   (("Phi_B", ""), derivation.Phi_B)]))

    @staticmethod
    def _positions(system):
        found = []
        for part in system.parts:
            place = part.position if isinstance(part, Particle) else part.pole
            found.append((("r" if isinstance(part, Particle) else "r_A", part.name), place))
        return found

    @property
    def equations(self):
        """[(velocity, Φ_B, Φ)]."""
        return list(zip(self.velocities, self.d.Phi_B, self.d.Phi))

    @property
    def reactions(self):
        return [(row.name, reaction) for row, reaction in zip(self.d.map.rows, self.d.reactions)]


def as_plain(derivation):
    """All of it as lines."""
    system, formulas = derivation.system, Formulas(derivation)
    lines = [system.title, "=" * len(system.title)] if system.title else []
    lines += ["", "Generalized coordinates: " + ", ".join(
        c.name + (f" ({c.kind})" if c.kind else "") for c in system.coordinates)]
    if not derivation.holonomic:
        lines.append("Quasi-velocities: " + ", ".join(
            q.name + (f" = {q.meaning}" if q.meaning else "") for q in derivation.map.velocities))
    lines.append(f"Degrees of freedom: {len(derivation.map.velocities)}; "
                 "a prime is a rate of change")
    if system.parameters:
        lines += ["", "Constants"]
        lines += [f"  {p.symbol} = {p.value:.9g} {p.unit}".rstrip()
                  + (f"  ({p.meaning})" if p.meaning else "") for p in system.parameters]
    lines += [f"  {plain(law)}: {words}" for law, words in system.laws.items()]
    for heading, entries in formulas.sections:
        lines += ["", heading]
        for (name, of), value in entries:
            label = f"{name}[{of}]" if of else name
            if isinstance(value, sp.MatrixBase):
                text = plain_matrix(value).splitlines()
                lines += [f"  {label} = {text[0]}",
                          *(" " * (len(label) + 5) + line for line in text[1:])]
            else:
                lines.append(f"  {label} = {plain(value)}")
    lines += ["", "Equations of motion, Phi + Phi_B = 0"]
    lines += [f"  {velocity}:  0 = {plain(inertial + force)}"
              for velocity, inertial, force in formulas.equations]
    if formulas.reactions:
        lines += ["", "Reactions: multipliers of the constraints"]
        lines += [f"  mu[{name}] = {plain(value)}" for name, value in formulas.reactions]
    lines += [f"\nnote: {note}" for note in _notes(derivation)]
    return "\n".join(lines) + "\n"


def _notes(derivation):
    redundant = derivation.map.redundant
    words = [f"redundant, left out: {', '.join(redundant)}"] if redundant else []
    return [*derivation.system.notes, *derivation.map.notes, *words]


# LaTeX

def latex_names(derivation):
    """Symbol → its LaTeX."""
    names = {}
    for c in derivation.system.coordinates:
        stem = c.latex or _subscripted(c.name)
        names |= {c.q: stem, c.v: _dotted(stem, "dot"), c.a: _dotted(stem, "ddot")}
    for q in derivation.map.velocities:
        if q.v not in names:
            stem = _subscripted(q.name)
            names |= {q.v: stem, q.a: _dotted(stem, "dot")}
    for p in derivation.system.parameters:
        names[p.symbol] = _subscripted(p.symbol.name)
    return names


def _subscripted(name):
    """m_1 → m_{\\mathrm{1}}."""
    stem, _, rest = name.partition("_")
    return stem + (rf"_{{\mathrm{{{_escaped(rest)}}}}}" if rest else "")


def _dotted(stem, dots):
    letter, mark, rest = stem.partition("_")
    return rf"\{dots}{{{letter}}}{mark}{rest}"


_SIDES = {"Phi": r"\Phi", "Phi_B": r"\Phi_B", "Q_B": "Q_B", "r_A": "r_A"}


def as_latex(derivation):
    """All of it for a document: sections of display formulas."""
    names, formulas = latex_names(derivation), Formulas(derivation)
    printer = _Latex({"symbol_names": names, "mat_delim": "["})
    by_name = {symbol.name: text for symbol, text in names.items()}

    def side(name, of):
        text = by_name.get(name) or _SIDES.get(name, rf"{name}")
        stem, mark, rest = text.partition("_")
        if not of or name == "0":
            return text
        return f"{stem}^{{\\mathrm{{{_escaped(of)}}}}}" + mark + rest
    title = _escaped(derivation.system.title)
    lines = [rf"\section*{{{title}}}"] if title else []
    for heading, entries in formulas.sections:
        lines += [rf"\subsection*{{{heading}}}"]
        lines += [rf"\[ {side(*label)} = {printer.doprint(value)} \]" for label, value in entries]
    lines.append(r"\subsection*{Equations of motion, $\Phi + \Phi_B = 0$}")
    lines += [rf"\[ 0 = {printer.doprint(inertial + force)} \]"
              for _, inertial, force in formulas.equations]
    if formulas.reactions:
        lines.append(r"\subsection*{Reactions: multipliers of the constraints}")
        lines += [rf"\[ \mu_{{\mathrm{{{_escaped(name)}}}}} = {printer.doprint(value)} \]"
                  for name, value in formulas.reactions]
    lines += [rf"\paragraph{{Note.}} {_escaped(note)}" for note in _notes(derivation)]
    return "\n".join(lines) + "\n"
