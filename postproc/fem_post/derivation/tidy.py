"""Simplifying formulas within measure."""

from functools import lru_cache

import sympy as sp

_LARGE = 400   # operations: what is longer is left as it is


@lru_cache(maxsize=20000)
def tidy(expression):
    """The shortest of some equal forms; expressions too long for that as they are."""
    expression = sp.sympify(expression)
    operations = expression.count_ops()
    if operations == 0 or operations > _LARGE:
        return expression
    forms = [expression, sp.trigsimp(sp.expand(expression)), sp.simplify(expression)]
    return min(forms, key=lambda form: (form.count_ops(), len(str(form))))
