"""Formulas that a user writes, as symbols: the grammar of libfem/formula.

    sum      = product {("+" | "-") product}
    product  = sign {("*" | "/") sign}
    sign     = ["+" | "-"] sign | power
    power    = value ["^" sign]                      right to left, before the sign: -x^2 = -(x^2)
    value    = number | name | name "(" sum {"," sum} ")" | "(" sum ")"

A name is made of letters, digits and "_", and of anything between two "'": x_'left tip'.
"""

import re
from difflib import get_close_matches

import sympy as sp

FUNCTIONS = {
    "sin": (sp.sin, 1), "cos": (sp.cos, 1), "tan": (sp.tan, 1), "asin": (sp.asin, 1),
    "acos": (sp.acos, 1), "atan": (sp.atan, 1), "atan2": (sp.atan2, 2), "sinh": (sp.sinh, 1),
    "cosh": (sp.cosh, 1), "tanh": (sp.tanh, 1), "exp": (sp.exp, 1), "log": (sp.log, 1),
    "sqrt": (sp.sqrt, 1), "abs": (sp.Abs, 1),
    "pow": (sp.Pow, 2),
    "hypot": (lambda x, y: sp.sqrt(x ** 2 + y ** 2), 2),
}
_TOKEN = re.compile(r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
                    r"|(?P<name>[^\W\d](?:\w|'[^']*')*)|(?P<sign>[-+*/^(),]))")


class FormulaError(ValueError):
    """A formula cannot be read; the message says where and why."""


def parse_formula(text, lookup):
    """The formula as an expression; lookup(name) gives what a name stands for, None if nothing.

    lookup has an attribute `known`, the names that there are, for messages.
    """
    return _Parser(text, lookup).whole()


class _Parser:
    def __init__(self, text, lookup):
        self.text, self.lookup = text, lookup
        self.tokens = list(self._split())
        self.at = 0

    def _split(self):
        place = 0
        while self.text[place:].strip():
            found = _TOKEN.match(self.text, place)
            if not found:
                column = place + len(self.text[place:]) - len(self.text[place:].lstrip())
                raise FormulaError(f"{self.text!r}: {self.text[column]!r} (column {column + 1}) "
                                   "belongs to no formula")
            yield found.lastgroup, found.group(found.lastgroup), found.start(found.lastgroup)
            place = found.end()
        yield "end", "", len(self.text)

    def _fail(self, what):
        _, token, column = self.tokens[self.at]
        where = f"at {token!r} (column {column + 1})" if token else "at the end"
        raise FormulaError(f"{self.text!r}: {what} {where}")

    def _take(self, *signs):
        kind, token, _ = self.tokens[self.at]
        if kind == "sign" and token in signs:
            self.at += 1
            return token
        return None

    def whole(self):
        value = self._sum()
        if self.tokens[self.at][0] != "end":
            self._fail("an operator is missing")
        return value

    def _sum(self):
        value = self._product()
        while sign := self._take("+", "-"):
            value = value + self._product() if sign == "+" else value - self._product()
        return value

    def _product(self):
        value = self._sign()
        while sign := self._take("*", "/"):
            value = value * self._sign() if sign == "*" else value / self._sign()
        return value

    def _sign(self):
        if sign := self._take("+", "-"):
            return self._sign() if sign == "+" else -self._sign()
        value = self._value()
        return value ** self._sign() if self._take("^") else value

    def _value(self):
        kind, token, _ = self.tokens[self.at]
        if kind == "number":
            self.at += 1
            return sp.nsimplify(token, rational=True)
        if kind == "name":
            return self._name(token)
        if self._take("("):
            value = self._sum()
            if not self._take(")"):
                self._fail("a closing bracket is missing")
            return value
        self._fail("a number, a name or a bracket is missing")

    def _name(self, name):
        following = self.tokens[self.at + 1]
        if following[1] == "(" and following[0] == "sign":
            return self._call(name)
        value = sp.pi if name == "pi" else self.lookup(name)
        if value is None:
            near = get_close_matches(name, self.lookup.known, n=1)
            known = f"did you mean {near[0]!r}?" if near \
                else "known are " + ", ".join(self.lookup.known)
            self._fail(f"nothing is named {name!r} ({known})")
        self.at += 1
        return value

    def _call(self, name):
        if name not in FUNCTIONS:
            near = get_close_matches(name, FUNCTIONS, n=1)
            self._fail(f"there is no function {name!r}"
                       + (f" (did you mean {near[0]!r}?)" if near else ""))
        function, count = FUNCTIONS[name]
        self.at += 2
        arguments = [self._sum()]
        while self._take(","):
            arguments.append(self._sum())
        if not self._take(")"):
            self._fail("a closing bracket is missing")
        if len(arguments) != count:
            self.at -= 1
            self._fail(f"{name} takes {count} argument{'s' if count > 1 else ''}")
        return function(*arguments)
