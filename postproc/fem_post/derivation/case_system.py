"""A case of particles and rigid bodies as a MechanicalSystem.

Points are placed in this order: those that are supported, those of a body that has a point which
is placed, those at a given distance from one that is placed (a rigid massless rod, with the angle
of the rod as coordinate), and then a new particle or body, with coordinates of its own. What is
placed twice closes a loop: a row.
"""

from dataclasses import replace
from math import atan2, hypot

import sympy as sp

from fem_post.case_text import part
from fem_post.derivation.case_rows import add_rows, distances, rod_of_distance
from fem_post.derivation.system import (T, Coordinate, MechanicalSystem, Parameter, Particle,
                                        RigidBody, cross, holonomic_row, turned)

_BEYOND = {"hereditary": "hereditary elements", "frame": "moving frames"}
_EVENTS = ("stop", "latch", "hold", "jam")
# What formulas are made of; anything else in a part is refused, never left out in silence.
_KEYS = {
    "hinges": {"at", "members", "drive", "spring", "damper", "friction", *_EVENTS},
    "bodies": {"at", "carries", "mass", "inertia", "center"},
    "particles": {"at", "mass", "velocity"},
    "springs": {"between", "stiffness", "viscosity", "length"},
    "supports": {"fix", "x", "y", "angle", "rod"},
    "loads": {"at", "force", "moment", "follower", "rod"},
}


class CaseError(ValueError):
    """The case is none that formulas can be derived of; the message names what is not."""


class Names:
    """Symbols with unique names, and what they are worth."""

    def __init__(self):
        self.parameters, self._taken = [], set()

    def unique(self, name):
        text, k = name, 2
        while text in self._taken:
            text, k = f"{name}_{k}", k + 1
        self._taken.add(text)
        return text

    def constant(self, name, value, unit="", meaning=""):
        """A symbol of a value; 0 for 0, which only lengthens formulas."""
        if value == 0:
            return sp.Integer(0)
        symbol = sp.Symbol(self.unique(name), real=True,
                           **({"positive": True} if value > 0 and unit != "rad" else {}))
        self.parameters.append(Parameter(symbol, float(value), unit, meaning))
        return symbol


class Builder:
    """Reads a case; what it has read so far."""

    def __init__(self, case):
        self.case = case
        self.names = Names()
        self.coordinates, self.rows, self.notes = [], [], []
        self.places, self.laws = {}, {}
        self.angles = {}      # body → angle
        self.body_of = {}     # point → first body that holds it
        self.forces = {}      # (kind, name) of a part → [force, moment]
        self._arms = {}       # (body, point) → the point in the body's axes

    # What the case holds

    def group(self, name):
        return part(self.case, name, default={})

    def start(self, point):
        try:
            x, y = self.case["points"][point][:2]
            return float(x), float(y)
        except (KeyError, TypeError, ValueError):
            raise CaseError(f"there is no point {point!r}") from None

    def law(self, value, name, unit, meaning):
        """A number as a constant, the name of a law as a function of t."""
        if isinstance(value, str):
            if value not in self.group("laws"):
                raise CaseError(f"there is no law {value!r}")
            law = sp.Function(value, real=True)(T)
            self.laws[law] = f"the law {value!r}"
            return law
        return self.names.constant(name, value, unit, meaning)

    def coordinate(self, name, kind, start, latex):
        c = Coordinate(self.names.unique(name), kind, start, latex)
        self.coordinates.append(c)
        return c

    def rate(self, expression):
        return MechanicalSystem(self.coordinates, []).rate(expression)

    # Placing

    def build(self):
        self._refuse()
        self._supports()
        bodies, particles = dict(self.group("bodies")), dict(self.group("particles"))
        links = distances(self.case)
        while bodies or particles:
            if self._place_known(bodies, particles, links):
                continue
            if particles and not bodies:
                name = next(iter(particles))
                self._free_point(particles[name]["at"])
            else:
                self._free_point(bodies[next(iter(bodies))]["at"])
        for point in self.group("points"):
            if point not in self.places:  # carries nothing: it stays where it is
                self.places[point] = sp.Matrix([sp.nsimplify(x, rational=True)
                                                for x in self.start(point)])
            self._partial_support(point)
        self._angle_supports()
        self._hinges()
        add_rows(self, links)
        return self._finish()

    def _refuse(self):
        if self.group("rods"):
            names = ", ".join(list(self.group("rods"))[:3])
            raise CaseError(f"formulas are derived for particles and rigid bodies; the case has "
                            f"flexible rods ({names})")
        for key, words in _BEYOND.items():
            if self.case.get(key):
                raise CaseError(f"formulas are not derived for {words} ({key!r})")
        for group, keys in _KEYS.items():
            for name, value in self.group(group).items():
                beyond = sorted(set(value) - keys)
                if beyond:
                    raise CaseError(f"formulas are not derived for {beyond[0]!r} of {name!r} in "
                                    f"{group!r}")
        if not self.group("bodies") and not self.group("particles"):
            raise CaseError("the case has neither particles nor rigid bodies")

    def _supports(self):
        for point, support in self.group("supports").items():
            held = self._held(support)
            if {"x", "y"} <= set(held):
                self.places[point] = self._at_start(point) + sp.Matrix([held["x"], held["y"]])

    def _at_start(self, point):
        x, y = self.start(point)
        return sp.Matrix([self.names.constant(f"X_{point}", x, "m"),
                          self.names.constant(f"Y_{point}", y, "m")])

    def _held(self, support):
        """quantity → its prescribed change."""
        held = {quantity: sp.Integer(0) for quantity in support.get("fix", [])}
        for quantity in ("x", "y", "angle"):
            if quantity in support:
                held[quantity] = self.law(support[quantity], f"d{quantity}", "m", "")
        return held

    def _place_known(self, bodies, particles, links):
        """Place one body or particle that hangs on something placed; whether there was one."""
        for name, body in bodies.items():
            points = [body["at"], *body.get("carries", [])]
            known = [p for p in points if p in self.places]
            if known:
                self._place_body(name, bodies.pop(name), points, known[0])
                return True
        for name, particle in particles.items():
            if particle["at"] in self.places:
                del particles[name]
                return True
        placed = rod_of_distance(links, self.places, self._massive(particles))
        if placed:
            link, known, new = placed
            self._place_by_rod(link, known, new)
            links.remove(link)
            return True
        return False

    @staticmethod
    def _massive(particles):
        return {particle["at"] for particle in particles.values()}

    def _place_body(self, name, body, points, known):
        angle = self.coordinate(f"angle_{name}", f"angle of {name}", 0.0,
                                rf"\varphi_{{\mathrm{{{name}}}}}").q
        self.angles[name] = angle
        at = self._in_body(name, body, known)
        pole = self.places[known] - turned(at, angle)
        for point in points:
            place = pole + turned(self._in_body(name, body, point), angle)
            if point not in self.places:
                self.places[point] = place
            elif point != known:
                gap = place - self.places[point]
                for axis, residual in zip("xy", gap):
                    self.hold(f"{name} at {point}, {axis}", residual)
            self.body_of.setdefault(point, name)

    def _in_body(self, name, body, point):
        """[2]: a point in the axes of its body."""
        if point == body["at"]:
            return sp.zeros(2, 1)
        x0, y0 = self.start(body["at"])
        x, y = self.start(point)
        key = (name, point)
        if key not in self._arms:
            self._arms[key] = sp.Matrix([
                self.names.constant(f"a_{point}", x - x0, "m", f"{point} in the axes of {name}"),
                self.names.constant(f"b_{point}", y - y0, "m", f"{point} in the axes of {name}")])
        return self._arms[key]

    def _place_by_rod(self, link, known, new):
        x0, y0 = self.start(known)
        x, y = self.start(new)
        angle = self.coordinate(f"angle_{link.name}", f"angle of {link.name}",
                                atan2(y - y0, x - x0),
                                rf"\varphi_{{\mathrm{{{link.name}}}}}").q
        self.angles[link.name] = angle
        length = self.length_of(link)
        self.places[new] = self.places[known] + length * sp.Matrix([sp.cos(angle), sp.sin(angle)])

    def length_of(self, link):
        """The prescribed distance of a link: a symbol, and its law."""
        first, second = (self.start(p) for p in link.points)
        at_start = hypot(first[0] - second[0], first[1] - second[1])
        return self.names.constant(f"L_{link.name}", at_start, "m", "distance") \
            + self.law(link.change, f"dL_{link.name}", "m", "")

    def _free_point(self, point):
        """A point with coordinates of its own, unless a support holds one of them."""
        held = self._held(part(self.case, "supports", point, default={}))
        place = []
        for axis, value in zip("xy", self.start(point)):
            if axis in held:
                place.append(self.names.constant(f"{axis.upper()}_{point}", value, "m")
                             + held[axis])
            else:
                place.append(self.coordinate(f"{axis}_{point}", f"{axis} of {point}", value,
                                             rf"{axis}_{{\mathrm{{{point}}}}}").q)
        self.places[point] = sp.Matrix(place)

    def _partial_support(self, point):
        """A support of a point that follows from others: rows."""
        support = part(self.case, "supports", point)
        if support is None or point not in self.places:
            return
        held = self._held(support)
        for axis, (quantity, value) in enumerate(zip("xy", self.start(point))):
            if quantity not in held or not self._moves(self.places[point][axis]):
                continue
            fixed = self.names.constant(f"{quantity.upper()}_{point}", value, "m") + held[quantity]
            self.hold(f"support {point}, {quantity}", self.places[point][axis] - fixed)

    def _moves(self, expression):
        """Whether it depends on a coordinate, but is none that the support held from the start."""
        return any(expression.has(c.q) for c in self.coordinates)

    def _angle_supports(self):
        for point, support in self.group("supports").items():
            if "angle" not in self._held(support):
                continue
            body = support.get("rod") or self.body_of.get(point)
            if body not in self.angles:
                raise CaseError(f"the support of {point!r} holds an angle, but there is no body")
            self.hold(f"support {point}, angle",
                       self.angles[body] - self._held(support)["angle"])

    def hold(self, name, residual):
        self.rows.append(holonomic_row(self.rate, name, residual))

    # Forces

    def push(self, point, force):
        """A force on a point."""
        name = self._owner(point)
        if name is None:
            return
        kind, part_name = name
        entry = self.forces.setdefault(name, [sp.zeros(2, 1), sp.Integer(0)])
        entry[0] += force
        if kind == "body":
            pole = self.places[self.group("bodies")[part_name]["at"]]
            entry[1] += cross(self.places[point] - pole, force)

    def twist(self, body, moment):
        entry = self.forces.setdefault(("body", body), [sp.zeros(2, 1), sp.Integer(0)])
        entry[1] += moment

    def _owner(self, point):
        for name, particle in self.group("particles").items():
            if particle["at"] == point:
                return "particle", name
        return ("body", self.body_of[point]) if point in self.body_of else None

    def _hinges(self):
        for name, hinge in self.group("hinges").items():
            first, second = hinge["members"]
            if first not in self.angles or second not in self.angles:
                raise CaseError(f"hinge {name!r}: its members are not both rigid bodies")
            angle = self.angles[second] - self.angles[first]
            rate = self.rate(angle)
            for key in _EVENTS:
                if key in hinge:
                    self.notes.append(f"the formulas hold while the {key} of hinge {name!r} does "
                                      "not act")
            if "drive" in hinge:
                self.hold(f"drive {name}", angle - self.law(hinge["drive"], f"drive_{name}",
                                                             "rad", ""))
            moment = self._hinge_moment(name, hinge, angle, rate)
            if moment != 0:
                self.twist(second, moment)
                self.twist(first, -moment)

    def _hinge_moment(self, name, hinge, angle, rate):
        """Of spring, damper and friction, on the second member."""
        moment = sp.Integer(0)
        constant = self.names.constant
        if spring := hinge.get("spring"):
            if "table" in spring:
                moment += sp.Function(f"S_{name}", real=True)(angle)
                self.notes.append(f"S_{name} is the table of the spring of hinge {name!r}")
            else:
                neutral = constant(f"neutral_{name}", spring.get("neutral", 0), "rad")
                moment += constant(f"preload_{name}", spring.get("preload", 0), "N m") \
                    - constant(f"k_{name}", spring["stiffness"], "N m/rad") * (angle - neutral)
        if damper := hinge.get("damper"):
            moment -= constant(f"c_{name}", damper["viscosity"], "N m s/rad") * rate
        if friction := hinge.get("friction"):
            coulomb = constant(f"Mc_{name}", friction["coulomb"], "N m", "sliding friction")
            excess = constant(f"Ms_{name}", friction.get("static", friction["coulomb"])
                              - friction["coulomb"], "N m", "sticking over sliding friction")
            stribeck = constant(f"ws_{name}", friction.get("stribeck_rate", 0.1), "rad/s")
            smooth = constant(f"w0_{name}", friction.get("regularization", 1e-3), "rad/s")
            moment -= (coulomb + excess * sp.exp(-(rate / stribeck) ** 2)) * sp.tanh(rate / smooth)
        return moment

    def _springs(self):
        for name, spring in self.group("springs").items():
            first, second = spring["between"]
            line = self.places[second] - self.places[first]
            length = sp.sqrt(line.dot(line))
            (x0, y0), (x1, y1) = self.start(first), self.start(second)
            at_start = hypot(x1 - x0, y1 - y0)
            natural = self.names.constant(f"l_{name}", spring.get("length", at_start), "m",
                                          "natural length")
            tension = self.names.constant(f"k_{name}", spring.get("stiffness", 0), "N/m") \
                * (length - natural)
            tension += self.names.constant(f"c_{name}", spring.get("viscosity", 0), "N s/m") \
                * self.rate(length)
            self.push(first, tension * line / length)
            self.push(second, -tension * line / length)

    def _loads(self):
        for name, load in self.group("loads").items():
            point = load.get("at")
            if point is None:
                raise CaseError(f"load {name!r} acts along a rod")
            force = sp.Matrix([self.law(value, f"F{axis}_{name}", "N", f"load {name}")
                               for axis, value in zip("xy", load.get("force", [0, 0]))])
            body = load.get("rod") or self.body_of.get(point)
            if load.get("follower"):
                if body not in self.angles:
                    raise CaseError(f"load {name!r} follows a body, but there is none at {point!r}")
                force = turned(force, self.angles[body])
            self.push(point, force)
            moment = self.law(load.get("moment", 0), f"M_{name}", "N m", f"load {name}")
            if moment != 0:
                if body not in self.angles:
                    raise CaseError(f"load {name!r} has a moment, but no body is at {point!r}")
                self.twist(body, moment)

    def _gravity(self):
        x, y = (list(self.case.get("gravity", [0, 0])) + [0, 0])[:2]
        down = sp.Integer(0)
        if y != 0:
            down = -self.names.constant("g", -y, "m/s^2", "gravity, down") if y < 0 \
                else self.names.constant("g_y", y, "m/s^2", "gravity along Y")
        return sp.Matrix([self.names.constant("g_x", x, "m/s^2", "gravity along X"), down])

    # The whole

    def _finish(self):
        gravity = self._gravity()
        self._springs()
        self._loads()
        parts = []
        for name, particle in self.group("particles").items():
            mass = self.names.constant(f"m_{name}", particle["mass"], "kg", f"mass of {name}")
            force, _ = self.forces.get(("particle", name), [sp.zeros(2, 1), 0])
            parts.append(Particle(name, mass, self.places[particle["at"]],
                                  force + mass * gravity))
        for name, body in self.group("bodies").items():
            parts.append(self._body(name, body, gravity))
        if not self.coordinates:
            raise CaseError("nothing can move: every point is held")
        return MechanicalSystem(self.coordinates, parts, self.rows, self.names.parameters,
                                self.laws, self.notes, dict(self.places),
                                self.case.get("title", ""))

    def _body(self, name, body, gravity):
        constant = self.names.constant
        mass = constant(f"m_{name}", body["mass"], "kg", f"mass of {name}")
        inertia = constant(f"J_{name}", body["inertia"], "kg m^2",
                           f"inertia of {name} about {body['at']}")
        center = sp.Matrix([constant(f"{axis}c_{name}", value, "m", f"centre of mass of {name}")
                            for axis, value in zip("xy", body.get("center", [0, 0]))])
        force, moment = self.forces.get(("body", name), [sp.zeros(2, 1), sp.Integer(0)])
        whole = RigidBody(name, mass, inertia, self.places[body["at"]], self.angles[name], center,
                          force + mass * gravity, moment)
        return replace(whole, moment=moment + cross(whole.arm, mass * gravity))


def read_builder(builder):
    """MechanicalSystem of a Builder's case; CaseError if formulas cannot be derived of it."""
    try:
        return builder.build()
    except (KeyError, TypeError, AttributeError) as error:
        raise CaseError(f"the case is not as it should be ({type(error).__name__}: {error}): "
                        "fem check says what is wrong") from error


def read_case(case):
    """MechanicalSystem of a case (a dict)."""
    return read_builder(Builder(case))
