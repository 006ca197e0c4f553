"""Compares the results of two programs, number by number; scripts/compare_compilers calls it.

    compare_programs.py FEM FEM
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from generator import random_model

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "driver"), str(HERE.parent / "regression")]

from results import Results  # noqa: E402
from support import load_case  # noqa: E402

TOLERANCE = 1e-9
# Of the solver's own course: rounding chooses between steps that are equally good.
NOT_COMPARED = ("solver/", "summary")
CASES = {  # and when they end, s
    "three_rod_deployment_smooth.json": 1,
    "three_rod_deployment.json": 0.2,
    "benchmarks/double_pendulum.json": 0.5,
    "benchmarks/compound_pendulum.json": 0.5,
    "benchmarks/four_bars_rods.json": 0.1,
    "benchmarks/spin_up.json": 2,
    "benchmarks/rubber_pendulum.json": 0.2,
    "tumbling_frame.json": 0.2,
}


def run(program, case):
    with tempfile.TemporaryDirectory() as folder:
        path, out = pathlib.Path(folder) / "case.json", pathlib.Path(folder) / "out.h5"
        path.write_text(json.dumps(case))
        done = subprocess.run([program, "run", path, "-o", out, "--quiet"], text=True,
                              capture_output=True)
        if done.returncode != 0:
            sys.exit(f"{program}: {done.stderr}")
        return Results(out)


def largest_difference(a, b):
    """Of all datasets, in parts of the largest number of each kind, with its name."""
    worst = (0.0, "")
    for path, values in a.data.items():
        if path.startswith(NOT_COMPARED) or not np.issubdtype(values.dtype, np.floating):
            continue
        other = b.data[path]
        if other.shape != values.shape:
            return np.inf, path
        scale = abs(values).max(initial=0)
        if path.startswith("energy/"):  # in parts of the largest: a balance is their difference
            scale = max(abs(a[p]).max(initial=0) for p in a.data if p.startswith("energy/"))
        if path == "momentum/angular":  # may be nothing but the rounding of its terms
            scale = max(scale, abs(a["momentum/linear"]).max() * abs(a["points/position"]).max())
        if scale > 0:
            worst = max(worst, (abs(other - values).max() / scale, path))
    return worst


def main():
    first, second = sys.argv[1:]
    cases = {}
    for name, end in CASES.items():
        cases[name] = load_case(name)
        cases[name]["analysis"].update(end=end, output={"every": end / 20})
    cases.update({f"random model {seed}": random_model(seed) for seed in range(10)})
    bad = 0
    for name, case in cases.items():
        difference, path = largest_difference(run(first, case), run(second, case))
        bad += difference > TOLERANCE
        print(f"{difference:9.2g}  {name:36}  {path}", flush=True)
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
