#!/usr/bin/env python3
"""Checks who includes whom: the layer order of libfem and the homes of third-party headers.

    check_includes.py ROOT        reads ROOT/libfem and ROOT/drivers; exit code 1 if a rule is broken
    check_includes.py --self-test

The tables below are the rules; docs/architecture.md says why.
"""

import re
import sys
import tempfile
from pathlib import Path

# A folder may include itself and every folder of the rows above its own.
LAYERS = [
    ["base"],
    ["math"],
    ["formula"],
    ["linalg", "law", "hereditary"],
    ["rod"],
    ["body", "link"],
    ["model"],
    ["constraint", "frame"],
    ["system"],
    ["analysis"],
    ["io"],
    ["api"],
    ["libfem.hpp"],  # the one header for embedding programs
]

# The integrator stands beside the mechanics: it knows these folders and single headers only,
# and is known to the folders of INTEGRATOR_USERS only.
INTEGRATOR_FOLDERS = {"base", "math", "linalg"}
INTEGRATOR_HEADERS = {"libfem/law/law.hpp"}
INTEGRATOR_USERS = {"analysis", "io"}

# Third-party headers and where they may appear: files, or a folder with everything in it.
THIRD_PARTY = [
    (re.compile(r"Eigen/"), ["libfem/", "drivers/"]),
    (re.compile(r"Spectra/"), ["libfem/analysis/eigenpairs.cpp"]),
    (re.compile(r"nlohmann/"), ["libfem/io/json_reader.cpp"]),
    (re.compile(r"(hdf5|H5\w*)\.h$"), ["libfem/io/hdf5.hpp", "libfem/io/hdf5.cpp"]),
    (re.compile(r"(tbb|oneapi)/"), ["drivers/jobs.cpp"]),
    (re.compile(r"experimental/simd$"), ["libfem/math/lane.hpp"]),
    (re.compile(r"boost/"), ["libfem/math/special_functions.cpp"]),
    (re.compile(r"(CLI|fmt)/"), ["drivers/"]),
    (re.compile(r"spdlog/"), ["drivers/log.cpp"]),
]
# Of the C++ library, of C, and of POSIX (<unistd.h>, <sys/stat.h>).
SYSTEM = re.compile(r"[a-z_0-9]+(\.h)?$|sys/[a-z_0-9]+\.h$")

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
SUFFIXES = {".hpp", ".cpp", ".h", ".cc", ".inl", ".ipp"}


def allowed_folders():
    """Folder of libfem → the folders it may include."""
    allowed = {"integrator": {"integrator"} | INTEGRATOR_FOLDERS}
    below = set()
    for layer in LAYERS:
        for folder in layer:
            allowed[folder] = below | {folder}
            if folder in INTEGRATOR_USERS:
                allowed[folder] = allowed[folder] | {"integrator"}
        below = below | set(layer)
    return allowed


ALLOWED = allowed_folders()


def check_project_include(source, included):
    """What is wrong with `source` including the project's header `included`, or None."""
    if source.startswith("drivers/"):
        return None
    folder = source.split("/")[1]
    if folder not in ALLOWED:
        return f"libfem/{folder} has no place in the layer order yet: add it to LAYERS"
    if not included.startswith("libfem/"):
        return 'a header of the project is written as "libfem/folder/name.hpp"'
    target = included.split("/")[1]
    if target in ALLOWED[folder]:
        return None
    if folder == "integrator" and included in INTEGRATOR_HEADERS:
        return None
    return f"{folder} may include only {', '.join(sorted(ALLOWED[folder]))}"


def check_third_party(source, included):
    """What is wrong with `source` including the outside header `included`, or None."""
    for pattern, homes in THIRD_PARTY:
        if pattern.match(included):
            if any(source == home or home.endswith("/") and source.startswith(home)
                   for home in homes):
                return None
            return f"belongs only in {', '.join(homes)}"
    if SYSTEM.match(included):
        return None
    return "not a standard header: a new third-party library needs a home in THIRD_PARTY"


def first_include(path):
    """What a source file includes first, or None."""
    for line in path.read_text(encoding="utf-8").splitlines():
        match = INCLUDE.match(line)
        if match:
            return match.group(2)
    return None


def check_alone(root):
    """Headers that their own source, or else their own test, does not include first: only so does
    every build show that they compile alone. (Those without either are compiled by CMake.)"""
    problems = []
    for header in sorted((root / "libfem").rglob("*.hpp")):
        name = header.relative_to(root)
        source = header.with_suffix(".cpp")
        if not source.exists():
            inner = header.relative_to(root / "libfem")
            source = root / "tests" / inner.parent / f"{header.stem}_test.cpp"
        if source.exists() and first_include(source) != name.as_posix():
            problems.append(f"{source.relative_to(root)}: does not include {name} first")
    return problems


def check_tree(root):
    """All broken rules under root, as "file:line: text"; and the number of files read."""
    problems = []
    files = [path for folder in ("libfem", "drivers") for path in sorted((root / folder).rglob("*"))
             if path.suffix in SUFFIXES]
    for path in files:
        source = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            bracket, included = match.groups()
            third_party = any(pattern.match(included) for pattern, _ in THIRD_PARTY)
            if included.startswith("libfem/") or bracket == '"' and not third_party:
                problem = check_project_include(source, included)
            else:
                problem = check_third_party(source, included)
            if problem:
                problems.append(f"{source}:{number}: includes {included}: {problem}")
    return problems, len(files)


def self_test():
    """Every rule is seen to pass what is right and to catch what is wrong."""
    right = [
        ("libfem/rod/a.hpp", '"libfem/rod/b.hpp"'),
        ("libfem/rod/a.hpp", '"libfem/law/law.hpp"'),
        ("libfem/rod/a.hpp", "<Eigen/Core>"),
        ("libfem/model/a.cpp", '"libfem/law/law.hpp"'),
        ("libfem/analysis/a.cpp", '"libfem/integrator/arc_length.hpp"'),
        ("libfem/integrator/a.hpp", '"libfem/law/law.hpp"'),
        ("libfem/integrator/a.hpp", '"libfem/linalg/block.hpp"'),
        ("libfem/analysis/eigenpairs.cpp", "<Spectra/SymGEigsShiftSolver.h>"),
        ("libfem/io/json_reader.cpp", "<nlohmann/json.hpp>"),
        ("libfem/io/hdf5.cpp", "<hdf5.h>"),
        ("drivers/jobs.cpp", "<oneapi/tbb/parallel_for.h>"),
        ("libfem/math/lane.hpp", "<experimental/simd>"),
        ("libfem/base/a.cpp", "<sys/stat.h>"),
        ("drivers/fem.cpp", '"libfem/io/case_reader.hpp"'),
        ("drivers/fem.cpp", '"drivers/progress.hpp"'),
        ("drivers/fem.cpp", "<CLI/CLI.hpp>"),
    ]
    wrong = [
        ("libfem/base/a.hpp", '"libfem/math/planar.hpp"'),
        ("libfem/law/a.hpp", '"libfem/linalg/block.hpp"'),
        ("libfem/hereditary/a.hpp", '"libfem/law/law.hpp"'),
        ("libfem/body/a.hpp", '"libfem/link/two_point.hpp"'),
        ("libfem/rod/a.hpp", '"libfem/model/model.hpp"'),
        ("libfem/system/a.cpp", '"libfem/integrator/newton.hpp"'),
        ("libfem/analysis/a.cpp", '"libfem/io/recorder.hpp"'),
        ("libfem/io/a.cpp", '"libfem/api/simulation.hpp"'),
        ("libfem/api/a.cpp", '"libfem/libfem.hpp"'),
        ("libfem/integrator/a.cpp", '"libfem/system/equations.hpp"'),
        ("libfem/integrator/a.cpp", '"libfem/law/expression.hpp"'),
        ("libfem/rod/a.hpp", '"shape_functions.hpp"'),
        ("libfem/io/a.cpp", '"drivers/progress.hpp"'),
        ("libfem/attic/a.hpp", '"libfem/base/error.hpp"'),
        ("libfem/analysis/eigenpairs.hpp", "<Spectra/SymGEigsShiftSolver.h>"),
        ("libfem/io/recorder.cpp", "<hdf5.h>"),
        ("libfem/io/json_reader.hpp", '"nlohmann/json.hpp"'),
        ("libfem/io/case_reader.cpp", "<nlohmann/json.hpp>"),
        ("libfem/system/a.cpp", "<tbb/parallel_for.h>"),
        ("libfem/system/a.hpp", "<experimental/simd>"),
        ("libfem/io/a.cpp", "<fmt/format.h>"),
        ("drivers/fem.cpp", "<nlohmann/json.hpp>"),
        ("libfem/base/a.cpp", "<yaml-cpp/yaml.h>"),
    ]
    failures = []
    for cases, expected in ((right, 0), (wrong, 1)):
        for source, included in cases:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / source
                path.parent.mkdir(parents=True)
                path.write_text(f"// text\n  #include {included}\n", encoding="utf-8")
                problems, _ = check_tree(Path(folder))
            if len(problems) != expected:
                failures.append(f"{source} with {included}: {problems or 'not caught'}")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "libfem" / "rod"
        tests = Path(folder) / "tests" / "rod"
        root.mkdir(parents=True)
        tests.mkdir(parents=True)
        for name in "abcd":
            (root / f"{name}.hpp").touch()
        (root / "a.cpp").write_text('#include "libfem/rod/a.hpp"\n', encoding="utf-8")
        (root / "b.cpp").write_text('#include <cmath>\n#include "libfem/rod/b.hpp"\n',
                                    encoding="utf-8")
        (tests / "c_test.cpp").write_text('#include "libfem/rod/a.hpp"\n', encoding="utf-8")
        problems = check_alone(Path(folder))
    if len(problems) != 2:
        failures.append(f"headers that are not included first: {problems}")
    return failures, len(right) + len(wrong) + 4


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    if arguments[0] == "--self-test":
        problems, count = self_test()
    else:
        problems, count = check_tree(Path(arguments[0]))
        problems += check_alone(Path(arguments[0]))
    if count == 0:
        problems = [f"no sources under {arguments[0]}"]
    print("\n".join(problems) if problems else f"{count} checked, every include is in order")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
