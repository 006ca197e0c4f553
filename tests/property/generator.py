"""Random models, each from a seed: chains, trees and loops of rods, with bodies, hinges, springs,
kernels, laws and loads. Every one is valid: a run of it is expected to succeed.

The size is that of a case for tests: up to 7 rods of a metre and 20 elements, soft enough that a
fifth of a second takes a few thousand steps.
"""

import math
import random


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.case = {
            "libfem": 1,
            "title": f"random model {seed}",
            "gravity": self.vector(10) if self.chance(0.6) else [0, 0],
            "sections": {}, "laws": {}, "points": {"P0": [0, 0]}, "rods": {}, "hinges": {},
            "supports": {}, "bodies": {}, "springs": {}, "hereditary": {}, "loads": {},
            "analysis": {"end": self.pick([0.05, 0.1, 0.2]), "output": {"every": 0.01}},
        }

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, items):
        return self.random.choice(list(items))

    def between(self, low, high):
        """Evenly on a logarithmic scale."""
        return low * (high / low) ** self.random.random()

    def vector(self, size):
        angle = self.random.uniform(-math.pi, math.pi)
        return [size * math.cos(angle), size * math.sin(angle)]

    # ---- parts

    def add_section(self):
        name = f"s{len(self.case['sections'])}"
        mass = self.between(0.1, 3)
        section = {"EA": mass * self.between(1e3, 1e5), "mass_per_length": mass}
        section["GAs"] = section["EA"] * self.between(0.1, 0.4)
        section["EI"] = section["EA"] * self.between(1e-4, 1e-3)
        section["inertia_per_length"] = mass * self.between(1e-4, 1e-3)
        if self.chance(0.15):  # the inertia is about the axis, of a body that lies aside
            radius = math.sqrt(section["inertia_per_length"] / mass)
            section["mass_offset"] = self.random.uniform(-0.9, 0.9) * radius
        if self.chance(0.15):
            section["stiffness_damping"] = self.between(1e-6, 1e-4)
            section["mass_damping"] = self.between(1e-2, 1)
        elif self.chance(0.15):
            section["hereditary"] = {"kernel": {"kind": "standard", "time": self.between(1e-2, 1),
                                                "prolonged": self.random.uniform(0.1, 0.9)}}
        self.case["sections"][name] = section
        return name

    def add_rod(self, start, end):
        name = f"r{len(self.case['rods'])}"
        if not self.case["sections"] or self.chance(0.3):
            self.add_section()
        rod = {"section": self.pick(self.case["sections"]), "from": start, "to": end,
               "elements": self.random.randint(1, 3)}
        if self.chance(0.2):
            rod["inertia_field"] = "paper"
        self.case["rods"][name] = rod
        return name

    def add_point(self, near):
        x, y = self.case["points"][near]
        while True:
            dx, dy = self.vector(self.random.uniform(0.4, 1.0))
            new = [x + dx, y + dy]
            if all(math.dist(new, old) > 0.2 for old in self.case["points"].values()):
                break
        name = f"P{len(self.case['points'])}"
        self.case["points"][name] = new
        return name

    def add_law(self, size):
        """A law that starts at 0."""
        name = f"law{len(self.case['laws'])}"
        end = self.case["analysis"]["end"]
        self.case["laws"][name] = self.pick([
            {"kind": "linear", "points": [[0, 0], [0.4 * end, size], [0.9 * end, size]]},
            {"kind": "smooth", "points": [[0, 0], [0.5 * end, size], [end, -0.5 * size]]},
            {"kind": "harmonic", "amplitude": size, "angular_frequency": self.between(3, 60)},
            {"kind": "polynomial", "coefficients": [0, 0, 4 * size / end**2]},
        ])
        return name

    # ---- structures

    def make_chain(self, count):
        at = "P0"
        for _ in range(count):
            new = self.add_point(at)
            self.add_rod(at, new)
            at = new

    def make_tree(self, count):
        for _ in range(count):
            at = self.pick(self.case["points"])
            self.add_rod(at, self.add_point(at))

    def make_loop(self, count):
        corners = max(count, 3)
        for k in range(1, corners):
            angle = 2 * math.pi * k / corners
            radius = self.random.uniform(0.8, 1.1)
            self.case["points"][f"P{k}"] = [radius * math.cos(angle) - 1, radius * math.sin(angle)]
        for k in range(corners):
            self.add_rod(f"P{k}", f"P{(k + 1) % corners}")

    def members_at(self, point):
        rods = [n for n, r in self.case["rods"].items() if point in (r["from"], r["to"])]
        return rods + [n for n, b in self.case["bodies"].items()
                       if b["at"] == point and "rod" not in b]

    def add_body(self):
        free = [p for p in self.case["points"]
                if not any(b["at"] == p for b in self.case["bodies"].values())]
        at = self.pick(free)
        body = {"at": at, "mass": self.between(0.1, 5), "inertia": self.between(1e-2, 1)}
        if self.chance(0.5):
            body["center"] = self.vector(0.05)
        hinged = any(h["at"] == at for h in self.case["hinges"].values())
        rods = self.members_at(at)
        name = f"b{len(self.case['bodies'])}"
        if self.chance(0.5) and not hinged and len(rods) == 1:
            self.case["bodies"][name] = body  # turns freely about its point, by a hinge
            self.add_hinge(at, [rods[0], name])
        else:
            self.case["bodies"][name] = {**body, "rod": self.pick(rods)}

    def add_hinge(self, at, members):
        hinge = {"at": at, "members": members}
        if self.chance(0.5):
            hinge["spring"] = {"stiffness": self.between(0.1, 50),
                               "neutral": self.random.uniform(-0.5, 0.5)}
        if self.chance(0.4):
            hinge["damper"] = {"viscosity": self.between(1e-3, 1)}
        if "spring" not in hinge and self.chance(0.3):
            hinge["drive"] = self.add_law(self.random.uniform(-0.5, 0.5))
        self.case["hinges"][f"h{len(self.case['hinges'])}"] = hinge

    def add_hinges(self):
        for point in list(self.case["points"]):
            if self.chance(0.6):  # otherwise they are joined rigidly
                members = self.members_at(point)
                for other in members[1:]:
                    self.add_hinge(point, [members[0], other])

    def add_supports(self):
        kind = self.random.random()
        if kind < 0.15:  # floats
            if self.chance(0.6):
                v = self.vector(self.between(0.1, 3))
                self.case["initial"] = {"velocity": {p: v for p in self.case["points"]}}
            return
        root = {"fix": ["x", "y"]}
        if kind < 0.5 and len(self.members_at("P0")) == 1:
            if self.chance(0.5):
                root["fix"].append("angle")
            else:
                root["angle"] = self.add_law(self.random.uniform(-0.5, 0.5))
        self.case["supports"]["P0"] = root
        if self.chance(0.2):
            self.case["supports"][self.pick(list(self.case["points"])[1:])] = {"fix": ["x", "y"]}

    def two_points(self):
        names = list(self.case["points"])
        first, second = self.random.sample(names, 2)
        length = math.dist(self.case["points"][first], self.case["points"][second])
        return [first, second], length

    def add_springs(self):
        for k in range(self.random.randint(1, 2)):
            ends, length = self.two_points()
            self.case["springs"][f"k{k}"] = {
                "between": ends, "stiffness": self.between(1, 1000),
                "viscosity": self.pick([0, self.between(1e-2, 5)]),
                "length": length * self.random.uniform(0.8, 1.2)}

    def add_hereditary(self):
        ends, length = self.two_points()
        c = self.between(1, 500)
        self.case["hereditary"]["e"] = {
            "between": ends, "length": length * self.random.uniform(0.9, 1.1),
            "kernel": self.pick([
                {"kind": "standard", "instantaneous": c, "prolonged": 0.4 * c,
                 "time": self.between(1e-2, 1)},
                {"kind": "prony", "instantaneous": c,
                 "terms": [[self.random.uniform(0.5, 1), self.between(0.01, 0.3)]]},
                {"kind": "rzhanitsyn", "instantaneous": c, "A": 0.4, "alpha": 0.3, "b": 2}])}

    def add_loads(self):
        if self.chance(0.5):
            self.case["loads"]["point"] = {
                "at": self.pick(list(self.case["points"])[1:]),
                "force": [self.add_law(self.between(0.1, 20)), self.random.uniform(-5, 5)],
                "follower": self.chance(0.3)}
            if self.case["loads"]["point"]["follower"]:
                load = self.case["loads"]["point"]
                rods = [n for n, r in self.case["rods"].items()
                        if load["at"] in (r["from"], r["to"])]
                if len(self.members_at(load["at"])) > 1:
                    load["rod"] = self.pick(rods)
        if self.chance(0.3):
            self.case["loads"]["line"] = {"on": self.pick(self.case["rods"]),
                                          "force": [self.vector(3), self.vector(3)]}

    def make(self):
        count = self.random.randint(1, 6)
        self.pick([self.make_chain, self.make_tree, self.make_loop])(count)
        self.add_hinges()
        for _ in range(self.random.randint(0, 2)):
            self.add_body()
        self.add_supports()
        if self.chance(0.35):
            self.add_springs()
        if self.chance(0.25):
            self.add_hereditary()
        if self.chance(0.6):
            self.add_loads()
        if self.chance(0.1) and not any("hereditary" in s for s in self.case["sections"].values()):
            self.case["analysis"]["method"] = {"kind": "generalized_alpha", "tolerance": 1e-6}
        return {key: value for key, value in self.case.items() if value != {}}


def random_model(seed):
    """A case of the format, as a value; the same of the same seed."""
    return Generator(seed).make()
