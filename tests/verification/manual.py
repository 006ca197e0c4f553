"""Builds the verification manual: runs every problem, writes its pages and pictures.

    manual.py [-o FOLDER] [--only NAME]… [--list]

Needs FEM_DRIVER, the program. Exits with 1 if a number is not within what is demanded of it.
With --only the pages are not written, only the pictures, and the rows are printed.
"""

import argparse
import pathlib
import sys
import time

import deployment
import frequencies
import hereditary
import linkages
import moving
import pages
import rods
import statics

CHAPTERS = {
    "deployment.md": ("The deployment", "The problem that the element was made for.",
                      deployment.PROBLEMS),
    "statics.md": ("Equilibria", "Large rotations, limit points, bifurcations.", statics.PROBLEMS),
    "rods.md": ("Rods in motion", "Flexible rods against published motions and against the same "
                "element integrated by other means.", rods.PROBLEMS),
    "linkages.md": ("Linkages", "Rigid bodies and hinges against exact motions.",
                    linkages.PROBLEMS),
    "frequencies.md": ("Frequencies and flutter", "Of rods, at rest, rotating, under a follower "
                       "load.", frequencies.PROBLEMS),
    "moving.md": ("Constraints of rates, moving frames", "Knife edges and observers that turn.",
                  moving.PROBLEMS),
    "hereditary.md": ("Elements that remember",
                      "Of every quantity the time is shown at which ours is "
                      "farthest off, over all times of the reference; differences are in parts of "
                      "the quantity's largest value.", hereditary.PROBLEMS),
}


def all_problems():
    return {build.__name__: build for _, _, builds in CHAPTERS.values() for build in builds}


def compute(names):
    """The problems of these names, computed; says what it does on standard error."""
    builds, problems = all_problems(), {}
    for name in names:
        started = time.monotonic()
        problem = problems[name] = builds[name]()
        row = problem.worst()
        print(f"{name}: {len(problem.rows)} numbers in {time.monotonic() - started:.1f} s, nearest "
              f"to its limit {row.what}: {row.difference:.1e} of {row.demanded:.1e}"
              f"{'' if problem.holds() else '  NOT WITHIN'}", file=sys.stderr, flush=True)
    return problems


def write(folder, problems):
    folder = pathlib.Path(folder)
    pages.write_pictures(folder, problems)
    chapters = {file: (title, about, [b.__name__ for b in builds])
                for file, (title, about, builds) in CHAPTERS.items()}
    for file, (title, about, names) in chapters.items():
        page = pages.chapter_page(title, about, {name: problems[name] for name in names})
        (folder / file).write_text(page, encoding="utf-8")
    (folder / pages.INDEX).write_text(pages.index_page(chapters, problems), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", default=pages.default_folder(), metavar="FOLDER")
    parser.add_argument("--only", action="append", choices=sorted(all_problems()), metavar="NAME")
    parser.add_argument("--list", action="store_true", help="the names of all problems")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(all_problems()))
        return 0
    problems = compute(arguments.only or all_problems())
    if arguments.only:
        pages.write_pictures(arguments.output, problems)
        for problem in problems.values():
            print("\n".join([problem.title, *pages.table(problem.rows)]))
    else:
        write(arguments.output, problems)
    return 0 if all(problem.holds() for problem in problems.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
