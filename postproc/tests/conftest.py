"""Finds the package and the synthetic results beside the tests; no bytecode is left behind."""

import sys
from pathlib import Path

import pytest

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

import synthetic  # noqa: E402


@pytest.fixture
def results_file(tmp_path):
    """A finished file of three unfolding rods that bend by 0.3 rad."""
    return synthetic.write(tmp_path / "case.h5", bend=0.3)
