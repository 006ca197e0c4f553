"""Simplifying formulas of mechanics, fast: rational functions of sines and cosines.

sin a and cos a are taken as variables s, c of polynomials; s² or c² goes by s² + c² = 1, whichever
leaves less. Two polynomials that are equal for all angles are equal after that, so zeros are found.
Computer algebra's general simplification takes minutes for a four-bar linkage.
"""

from functools import lru_cache

import sympy as sp
from sympy.simplify.fu import TR10i

_LARGE = 1500    # operations: what is longer is left as it is
_RATIONAL = 90   # operations: what is longer and is divided by sines or cosines is left as it is
_COMBINED = 120  # operations: what is longer is not searched for sin a cos b + cos a sin b


@lru_cache(maxsize=20000)
def tidy(expression):
    """The shortest of some equal forms; expressions too long for that as they are."""
    expression = sp.sympify(expression)
    operations = expression.count_ops()
    if operations == 0 or operations > _LARGE \
            or (operations > _RATIONAL and _divided_by_motion(expression)):
        return expression
    reduced = _reduced(expression)
    if reduced == 0:
        return reduced
    forms = [expression, reduced, sp.factor_terms(reduced), sp.factor_terms(expression)]
    if len(_angles(expression)) > 1 and reduced.count_ops() < _COMBINED:
        forms.append(TR10i(reduced))
    return min(forms, key=lambda form: (form.count_ops(), len(str(form))))


def _divided_by_motion(expression):
    """Whether sines, cosines or tangents stand in a denominator."""
    return expression.has(sp.tan, sp.sec, sp.csc, sp.cot) or any(
        power.exp.is_negative and power.base.has(sp.sin, sp.cos)
        for power in expression.atoms(sp.Pow))


def _angles(expression):
    return {f.args[0] for f in expression.atoms(sp.sin, sp.cos)}


def _reduced(expression):
    """A normal form: numerator and denominator expanded, without squares of sines or cosines."""
    e = expression.rewrite(sp.cos) \
        if expression.has(sp.sec, sp.csc, sp.cot) else expression
    e = e.replace(sp.tan, lambda a: sp.sin(a) / sp.cos(a))
    if any(isinstance(angle, (sp.Add, sp.Mul)) for angle in _angles(e)):
        e = sp.expand_trig(e)
    angles = sorted(_angles(e), key=sp.default_sort_key)
    pairs = [(sp.Dummy(f"s{k}", real=True), sp.Dummy(f"c{k}", real=True))
             for k in range(len(angles))]
    there = {f: v for angle, (s, c) in zip(angles, pairs)
             for f, v in ((sp.sin(angle), s), (sp.cos(angle), c))}
    back = {v: f for f, v in there.items()}
    e = e.xreplace(there)
    numerator, denominator = sp.fraction(sp.together(e))
    numerator = _without_squares(sp.expand(numerator), pairs)
    if numerator == 0:
        return sp.Integer(0)
    if denominator.free_symbols & {x for pair in pairs for x in pair}:
        denominator = _without_squares(sp.expand(denominator), pairs)
    whole = numerator / denominator
    if not denominator.is_number and _polynomial(numerator) and _polynomial(denominator):
        whole = sp.cancel(whole)
        numerator, denominator = sp.fraction(whole)
        whole = numerator / sp.factor_terms(denominator)
    return whole.xreplace(back)


def _polynomial(expression):
    """Whether nothing but whole powers is in it."""
    return all(power.exp.is_integer for power in expression.atoms(sp.Pow)) \
        and not expression.atoms(sp.Function)


def _without_squares(polynomial, pairs):
    """Expanded, each angle by the variant that leaves less."""
    for s, c in pairs:
        variants = [_lowered(polynomial, s, 1 - c ** 2), _lowered(polynomial, c, 1 - s ** 2)]
        polynomial = min(variants, key=lambda p: p.count_ops())
    return polynomial


def _lowered(polynomial, variable, square):
    """Powers of a variable from the second on, by its square."""
    return sp.expand(polynomial.replace(
        lambda e: e.is_Pow and e.base == variable and e.exp.is_Integer and e.exp > 1,
        lambda e: variable ** (e.exp % 2) * square ** (e.exp // 2)))
