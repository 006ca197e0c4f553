"""The same structure said differently: turned, moved, its objects in another order, in mm-N-s-t.

Each function changes a case (a value) in place. Case formats' quantities by their dimension stand
in the tables of `to_millimetres`; an unknown key of a case is an error, so that a new object is not
left out silently.
"""

import math

MILLI = 1e3  # mm a metre; N mm a N m
TONNE = 1e-3  # t a kilogram


def rotate(vector, angle):
    c, s = math.cos(angle), math.sin(angle)
    x, y = vector[:2]
    return [c * x - s * y, s * x + c * y]


def scaled_law(law, factor):
    """The law times a factor."""
    law = dict(law)
    if law["kind"] == "constant":
        law["value"] *= factor
    elif law["kind"] == "harmonic":
        law["amplitude"] *= factor
        law["mean"] = law.get("mean", 0) * factor
    elif law["kind"] == "polynomial":
        law["coefficients"] = [c * factor for c in law["coefficients"]]
    elif law["kind"] == "sum":
        law["terms"] = [scaled_law(term, factor) for term in law["terms"]]
    else:
        law["points"] = [[t, value * factor] for t, value in law["points"]]
    return law


class Laws:
    """Quantities that are numbers or names of laws; new laws get new names."""

    def __init__(self, case):
        self.laws = case.setdefault("laws", {})

    def terms(self, *parts):
        """Σ factor·quantity as a number or the name of a law."""
        number = sum(f * q for f, q in parts if not isinstance(q, str))
        named = [scaled_law(self.laws[q], f) for f, q in parts if isinstance(q, str) and f != 0]
        if not named:
            return number
        simple = []
        for law in named:
            simple += law["terms"] if law["kind"] == "sum" else [law]
        if number:
            simple.append({"kind": "constant", "value": number})
        name = f"law {len(self.laws)}"
        self.laws[name] = simple[0] if len(simple) == 1 else {"kind": "sum", "terms": simple}
        return name


def hinge_angle(case, hinge):
    """The relative angle at the start, in (-pi, pi]: bodies stand along X."""
    def angle(member):
        if member in case.get("bodies", {}):
            return 0.0
        rod = case["rods"][member]
        (x0, y0), (x1, y1) = case["points"][rod["from"]], case["points"][rod["to"]]
        return math.atan2(y1 - y0, x1 - x0)

    first, second = hinge["members"]
    relative = math.remainder(angle(second) - angle(first), 2 * math.pi)
    return math.pi if relative <= -math.pi else relative


def shift_spring(spring, shift):
    """The neutral angle of a hinge spring, or its table, moved along the angle."""
    if "table" in spring:
        spring["table"] = [[angle + shift, moment] for angle, moment in spring["table"]]
    elif spring:
        spring["neutral"] = spring.get("neutral", 0) + shift


def turn(case, angle):
    """Turns all of it about the origin. A free-standing body has the angle 0 at the start whatever
    its direction, so hinges between rods and bodies count their angle from elsewhere."""
    laws = Laws(case)
    before = {name: hinge_angle(case, h) for name, h in case.get("hinges", {}).items()}

    def turned(vector):
        return rotate(vector, angle)

    case["gravity"] = turned(case.get("gravity", [0, 0]))
    for name, p in case["points"].items():
        case["points"][name] = turned(p)
    for body in case.get("bodies", {}).values():
        if "rod" not in body:  # its own axes are those of the plane
            body["center"] = turned(body.get("center", [0, 0]))
    for particle in case.get("particles", {}).values():
        particle["velocity"] = turned(particle.get("velocity", [0, 0]))
    for support in case.get("supports", {}).values():
        fixed = {"x", "y"} & set(support.get("fix", []))
        assert len(fixed) != 1 and "x" not in support and "y" not in support, "a slide cannot turn"
    for load in case.get("loads", {}).values():
        on_axes = "on" in load or not load.get("follower", False)
        if "force" not in load or not on_axes:
            continue
        if "on" in load:
            load["force"] = [turned(end) for end in load["force"]]
        else:
            x, y = load["force"]
            c, s = math.cos(angle), math.sin(angle)
            load["force"] = [laws.terms((c, x), (-s, y)), laws.terms((s, x), (c, y))]
    initial = case.get("initial", {}).get("velocity", {})
    for name in initial:
        initial[name] = turned(initial[name])
    for name, hinge in case.get("hinges", {}).items():
        assert not {"stop", "latch"} & set(hinge)
        shift_spring(hinge.get("spring", {}), hinge_angle(case, hinge) - before[name])


def move(case, by):
    for p in case["points"].values():
        p[0] += by[0]
        p[1] += by[1]


def reorder(case):
    """All named objects in the opposite order."""
    for key, value in case.items():
        if isinstance(value, dict) and key not in ("analysis", "initial"):
            case[key] = dict(reversed(value.items()))


# Powers of (length, mass) of every number; forces keep their unit, N = t mm/s^2.
SECTION = {"EA": (0, 0), "EI": (2, 0), "GAs": (0, 0), "mass_per_length": (-1, 1),
           "inertia_per_length": (1, 1), "mass_offset": (1, 0), "stiffness_damping": (0, 0),
           "mass_damping": (0, 0), "E": (-2, 0), "G": (-2, 0), "poisson": (0, 0),
           "density": (-3, 1)}
ROD = {"elements": (0, 0), "curvature": (-1, 0), "elongation": (0, 0)}
BODY = {"mass": (0, 1), "inertia": (2, 1)}
SPRING = {"stiffness": (-1, 0), "viscosity": (-1, 0), "length": (1, 0)}


def convert(part, table, words=()):
    for key in part:
        if key in words:
            continue
        length, mass = table[key]
        part[key] *= MILLI**length * TONNE**mass


def to_millimetres(case):
    laws = Laws(case)
    known = {"libfem", "title", "gravity", "sections", "laws", "points", "rods", "hinges",
             "supports", "bodies", "particles", "springs", "loads", "initial", "analysis"}
    assert set(case) <= known, set(case) - known

    def lengths(vector):
        return [MILLI * x for x in vector]

    case["gravity"] = lengths(case.get("gravity", [0, 0]))
    for name, p in case["points"].items():
        case["points"][name] = lengths(p)
    shapes = ("rectangle", "circle", "tube", "box")
    for section in case.get("sections", {}).values():
        convert(section, SECTION, shapes)
        for shape in shapes:
            convert(section.get(shape, {}), dict.fromkeys(section.get(shape, {}), (1, 0)))
    for rod in case.get("rods", {}).values():
        convert(rod, ROD, ("section", "from", "to", "inertia_field"))
    for body in case.get("bodies", {}).values():
        if "center" in body:
            body["center"] = lengths(body["center"])
        convert(body, BODY, ("at", "rod", "center", "carries"))
    for particle in case.get("particles", {}).values():
        particle["mass"] *= TONNE
        particle["velocity"] = lengths(particle.get("velocity", [0, 0]))
    for spring in case.get("springs", {}).values():
        convert(spring, SPRING, ("between",))
    for hinge in case.get("hinges", {}).values():
        convert_hinge(hinge)
    for support in case.get("supports", {}).values():
        for key in {"x", "y"} & set(support):
            support[key] = laws.terms((MILLI, support[key]))
    for load in case.get("loads", {}).values():
        convert_load(load, laws)
    initial = case.get("initial", {}).get("velocity", {})
    for name in initial:
        initial[name] = lengths(initial[name])


def convert_hinge(hinge):
    assert set(hinge) <= {"at", "members", "drive", "spring", "damper"}, set(hinge)
    spring = hinge.get("spring", {})
    for key in {"stiffness", "preload"} & set(spring):
        spring[key] *= MILLI
    if "table" in spring:
        spring["table"] = [[angle, MILLI * moment] for angle, moment in spring["table"]]
    if "damper" in hinge:
        hinge["damper"]["viscosity"] *= MILLI


def convert_load(load, laws):
    if "on" in load:  # N/m and N m/m
        load["force"] = [[x / MILLI for x in end] for end in load.get("force", [[0, 0], [0, 0]])]
    elif "moment" in load:
        load["moment"] = laws.terms((MILLI, load["moment"]))
