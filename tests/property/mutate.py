"""Changes one sign, factor or index of a formula after another and demands that a test fails;
scripts/mutate calls it.

    mutate.py ROOT LIBRARY [WORD]

LIBRARY: a libfem.a of the unchanged sources; WORD: only mutations whose file has it in its name.
"""

import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

# Sources of the library to compile anew, and tests, the first of which to fail is the killer.
SUITES = {
    "rod": (["libfem/rod/rod_element.cpp"],
            ["tests/rod/rod_element_elastic_test.cpp", "tests/rod/rod_element_inertia_test.cpp",
             "tests/rod/rod_element_damping_test.cpp"]),
    "memory": (["libfem/hereditary/memory.cpp"], ["tests/hereditary/memory_test.cpp"]),
    "projection": (["libfem/constraint/projection.cpp"], ["tests/constraint/projection_test.cpp"]),
}

KINEMATICS, ELEMENT = "libfem/rod/kinematics.hpp", "libfem/rod/rod_element.hpp"
TANGENT, MEMORY = "libfem/rod/rod_element.cpp", "libfem/hereditary/memory.cpp"
PROJECTION = "libfem/constraint/projection.cpp"

MUTATIONS = [  # suite, file, from, to
    ("memory", MEMORY, "e.left * z + e.mean_left * dy;\n    r.force",
     "e.left * z - e.mean_left * dy;\n    r.force"),
    ("memory", MEMORY, "r.stiffness += c * e.mean_left", "r.stiffness += c * e.left"),
    ("memory", MEMORY, "r.stored += 0.5 * c", "r.stored += 1.0 * c"),
    ("memory", MEMORY, "e.lost - 0.5 * e.lost", "e.lost + 0.5 * e.lost"),
    ("memory", MEMORY, "z * dy * e.mean_left * e.lost", "z * dy * e.mean_left"),
    ("memory", MEMORY, "dy * dy * e.quadratic", "dy * dy * 2 * e.quadratic"),
    ("memory", MEMORY, "decay(dt / series.time[j])", "decay(dt / series.time[0])"),
    ("memory", MEMORY, "(1 - lost) * memory.branch[j]", "(1 + lost) * memory.branch[j]"),
    ("memory", MEMORY, "memory.deformation = y;", "memory.deformation = dy;"),
    ("projection", PROJECTION, "emplace_back(coordinate, -c / pivot->second)",
     "emplace_back(coordinate, c / pivot->second)"),
    ("projection", PROJECTION, "w / pivot->second)", "w)"),
    ("projection", PROJECTION, "result_.dependents[at(known)].rows, -c",
     "result_.dependents[at(known)].rows, c"),
    ("projection", PROJECTION, "add_scaled(rows, added.rows, factor)",
     "add_scaled(rows, added.rows, -factor)"),
    ("projection", PROJECTION, "independents.erase(added.coordinate);", ""),
    ("projection", PROJECTION, "<= kZeroCoefficient * scale", "<= kZeroCoefficient"),
    ("rod", KINEMATICS, "k.minus = k.theta1 - k.theta0", "k.minus = k.theta1 + k.theta0"),
    ("rod", KINEMATICS, "c.bow * k.plus - k.minus * (1.0 / 12)",
     "c.bow * k.plus + k.minus * (1.0 / 12)"),
    ("rod", KINEMATICS, "k.minus * (1.0 / 12);\n  k.strain", "k.minus * (1.0 / 13);\n  k.strain"),
    ("rod", KINEMATICS, "(k.cosine * dy - k.sine * dx)", "(k.cosine * dy + k.sine * dx)"),
    ("rod", KINEMATICS, "const Real n0 = f(kN0) - n1", "const Real n0 = f(kN0) + n1"),
    ("rod", KINEMATICS, "g(3) = f(kAlpha1)", "g(3) = f(kAlpha0)"),
    ("rod", ELEMENT, "moment0 = shear - bending", "moment0 = shear + bending"),
    ("rod", ELEMENT, "axial * k.slope1", "axial * k.slope0"),
    ("rod", ELEMENT, "f(kBeta) = -(s.moment0", "f(kBeta) = (s.moment0"),
    ("rod", ELEMENT, "tau * (r.theta1 - r.theta0)", "tau * (r.theta1 + r.theta0)"),
    ("rod", TANGENT, "c.rest_strain) * strain_qq(c, k, d)",
     "c.rest_strain) * 2 * strain_qq(c, k, d)"),
    ("rod", TANGENT, "minus / 12 + c.bow * plus", "minus / 12 - c.bow * plus"),
]


class Workshop:
    """Compiles tests against changed sources, as the build of the library compiles them."""

    def __init__(self, root, library, folder):
        self.root, self.library, self.folder = root, library, pathlib.Path(folder)
        commands = json.loads((library.parent.parent / "compile_commands.json").read_text())
        self.commands = {pathlib.Path(c["file"]).resolve(): shlex.split(c["command"])
                         for c in commands}

    def flags(self, test):
        """How a test is compiled: where headers are found, and for which machine."""
        words = iter(self.commands[(self.root / test).resolve()])
        kept = []
        for word in words:
            if word == "-isystem":
                kept += [word, next(words)]
            elif word.startswith(("-I", "-D", "-std", "-march", "-ffp", "-fno-math")):
                kept.append(word)
        return kept

    def build(self, sources, test):
        """The program of a test."""
        changed = [self.folder / s if (self.folder / s).exists() else self.root / s
                   for s in sources]
        program = self.folder / "mutant"
        done = subprocess.run(
            ["g++", f"-I{self.folder}", *self.flags(test), "-O0", "-w", self.root / test, *changed,
             self.library, "-lgmock", "-lgtest", "-lgtest_main", "-lhdf5_serial", "-fopenmp",
             "-lpthread", "-o", program],
            capture_output=True, text=True)
        if done.returncode != 0:  # no mutation, but a mistake in the list above
            sys.exit(done.stderr)
        return program

    def fails(self, sources, test):
        program = self.build(sources, test)
        return subprocess.run([program], capture_output=True, timeout=900).returncode != 0


def main():
    root, library = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
    word = sys.argv[3] if len(sys.argv) > 3 else ""
    killed, lived, sound = 0, 0, set()
    for suite, file, old, new in MUTATIONS:
        if word not in file:
            continue
        sources, tests = SUITES[suite]
        with tempfile.TemporaryDirectory() as folder:
            workshop = Workshop(root, library, folder)
            if suite not in sound:  # the tests pass without a change
                if any(workshop.fails(sources, test) for test in tests):
                    sys.exit(f"{suite}: the tests fail without a mutation")
                sound.add(suite)
            text = (root / file).read_text(encoding="utf-8")
            if text.count(old) != 1:
                sys.exit(f"{file}: '{old}' stands there {text.count(old)} times")
            target = pathlib.Path(folder) / file
            target.parent.mkdir(parents=True)
            target.write_text(text.replace(old, new), encoding="utf-8")
            killer = next((test for test in tests if workshop.fails(sources, test)), None)
        killed += killer is not None
        lived += killer is None
        line = f"{file}: `{' '.join(old.split())}` to `{' '.join(new.split())}`"
        print(f"{'killed' if killer else 'LIVES':6} {line} {killer or ''}", flush=True)
    print(f"{killed} killed, {lived} live")
    sys.exit(1 if lived else 0)


if __name__ == "__main__":
    main()
