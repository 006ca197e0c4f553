"""Histories between rows: orders, exactness, estimates that hold."""

import numpy as np
import pytest

from fem_post.interpolation import between_jumps, interpolate, locate

W = 2.3


def motion(t):
    t = np.asarray(t)[:, None]
    return np.sin(W * t), W * np.cos(W * t), -W * W * np.sin(W * t)


def error(step, held):
    time = np.arange(0, 4 + step / 2, step) + 0.1 * step * np.sin(np.arange(0, 4 + step / 2, step))
    asked = np.linspace(time[3], time[-4], 997)
    found, estimate = interpolate(time, asked, *motion(time)[:held])
    wrong = np.abs(found - motion(asked)[0])
    assert wrong.max() < estimate.max()
    assert held == 1 or np.all(wrong <= estimate + 1e-13)
    return wrong.max()


@pytest.mark.parametrize("held, order", [(1, 4), (2, 4), (3, 6)])
def test_orders(held, order):
    assert np.log2(error(0.1, held) / error(0.05, held)) == pytest.approx(order, abs=0.35)


@pytest.mark.parametrize("degree, held", [(3, 1), (3, 2), (5, 3)])
def test_polynomials_of_the_degree_are_met_exactly(degree, held):
    time = np.array([0.0, 0.07, 0.1, 0.21, 0.3])
    p = np.polynomial.Polynomial([1, -2, 0.5, 3, -1, 0.25][:degree + 1])
    asked = np.linspace(0, 0.3, 29)
    found, _ = interpolate(time, asked, *(p.deriv(k)(time)[:, None] for k in range(held)))
    assert found[:, 0] == pytest.approx(p(asked), abs=1e-13)


def test_rows_themselves_are_taken_as_they_are():
    time = np.array([0.0, 0.1, 0.3])
    values = np.array([[1.0], [2.0], [np.pi]])
    found, estimate = interpolate(time, np.array([0.0, 0.1 + 1e-12, 0.3]), values)
    assert found[:, 0].tolist() == [1.0, 2.0, np.pi] and not estimate.any()


def test_rates_that_say_nothing_are_not_used():
    # A fast vibration seen only at its rows: the rates there are those of the vibration.
    time = np.arange(0, 5, 0.5)
    slow, fast = np.sin(time), 40 * np.cos(80 * time)
    asked = np.arange(0.75, 4, 0.5)
    found, estimate = interpolate(time, asked, slow[:, None], fast[:, None])
    assert np.abs(found[:, 0] - np.sin(asked)).max() < 0.02
    assert estimate.max() < 0.1


def test_few_rows_are_joined_by_lines():
    found, _ = interpolate(np.array([0.0, 1.0]), np.array([0.25]), np.array([[0.0], [4.0]]))
    assert found[0, 0] == 1.0


def test_a_jump_spoils_the_times_of_its_interval_only():
    time = np.array([0.0, 1.0, 2.0, 3.0])
    asked = np.array([0.5, 1.0, 1.5, 2.5])
    assert between_jumps(time, asked, [1.2]).tolist() == [False, False, True, False]
    assert between_jumps(time, asked, [2.0]).tolist() == [False, False, True, True]


def test_locate():
    left, exact = locate(np.array([0.0, 1.0, 2.0]), np.array([0, 0.5, 1 - 1e-12, 2.0]))
    assert left.tolist() == [0, 0, 1, 2] and exact.tolist() == [True, False, True, True]
