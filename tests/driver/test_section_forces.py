"""Section forces anywhere along a rod, from results of `fem`: exact beams and exact statics."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

from support import CASES, ROOT, fem, load_case, write_case

sys.path.insert(0, str(ROOT / "postproc"))

from fem_post.results import Results  # noqa: E402
from fem_post.sections import rod_envelope, section_states  # noqa: E402

PLACES = np.linspace(0, 1, 57)  # shares of a rod, at and between its nodes


def cantilever(elements, **loads):
    """1.5 m of a 20 × 30 mm bar, clamped at its start."""
    return {
        "libfem": 1,
        "sections": {"bar": {"E": 7e10, "poisson": 0.3, "density": 2700,
                             "rectangle": {"width": 0.02, "height": 0.03}}},
        "points": {"root": [0, 0], "tip": [1.5, 0]},
        "rods": {"rod": {"section": "bar", "from": "root", "to": "tip", "elements": elements}},
        "supports": {"root": {"fix": ["x", "y", "angle"]}},
        "loads": loads,
        "analysis": {"end": 1},
    }


class SectionForces(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def solve(self, case, command="statics"):
        out = self.folder / "out.h5"
        done = fem(command, case if isinstance(case, pathlib.Path)
                   else write_case(self.folder, case), "-o", out, "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        return out

    def states(self, out, rod="rod", rows=(-1,), places=PLACES):
        with Results(out) as results:
            length = results.rods[rod].length
            rows = [r % results.rows for r in rows]
            return section_states(results, rod, places * length, rows), length

    def test_tip_force_on_timoshenko_s_cantilever(self):
        # A force so small that the beam is linear to 1e-8: exact with any number of elements.
        force, width, height, modulus = 0.02, 0.02, 0.03, 7e10
        area, inertia = width * height, width * height ** 3 / 12
        bending = modulus * inertia
        shear = modulus / 2.6 * area * 10 * 1.3 / (12 + 11 * 0.3)
        for elements in (1, 3):
            state, length = self.states(self.solve(cantilever(
                elements, P={"at": "tip", "force": [0, -force]})))
            s = state.places
            moment = -force * (length - s)
            deflection = -(force / (6 * bending) * (3 * length - s) * s ** 2 + force * s / shear)
            angle = -force / (2 * bending) * (2 * length - s) * s
            for found, exact in (
                    (state.bending_moment, moment), (state.shear_force, force),
                    (state.position[..., 1], deflection), (state.angle, angle),
                    (state.stress_left, -moment * height / (2 * inertia)),
                    (state.stress_right, moment * height / (2 * inertia))):
                exact = np.broadcast_to(exact, found[0].shape)
                np.testing.assert_allclose(found[0], exact, atol=1e-7 * np.abs(exact).max())
            # M = EI times the curvature of the axis without its shear: the rate of the angle.
            step = 1e-3
            inner = np.linspace(0.01, 0.32, 12)  # within the first of three elements
            ahead, _ = self.states(self.folder / "out.h5", places=inner + step)
            behind, _ = self.states(self.folder / "out.h5", places=inner - step)
            curvature = (ahead.angle - behind.angle)[0] / (2 * step * length)
            np.testing.assert_allclose(bending * curvature, -force * length * (1 - inner),
                                       rtol=1e-7)

    def test_stretched_and_bent_at_once(self):
        # An eccentric pull F at e: σ = F/A ∓ F e h/(2I), to first order in F.
        force, offset = 0.1, 0.002
        state, _ = self.states(self.solve(cantilever(
            2, P={"at": "tip", "force": [force, 0], "moment": force * offset})))
        area, inertia = 6e-4, 0.02 * 0.03 ** 3 / 12
        mean, bent = force / area, force * offset * 0.015 / inertia
        np.testing.assert_allclose(state.axial_force, force, rtol=1e-6)
        # The pull straightens the bar: terms of F L²/(2EI), 3.6e-5, of the moment.
        np.testing.assert_allclose(state.stress_left, mean - bent, rtol=0, atol=4e-5 * bent)
        np.testing.assert_allclose(state.stress_right, mean + bent, rtol=0, atol=4e-5 * bent)

    def test_equilibrium_at_every_place_of_the_elastica(self):
        # Dead force P at the tip: M(s) = −P (x_tip − x(s)), whatever the mesh and the deflection.
        for name, force in (("elastica_1", 1), ("elastica_5", 5), ("elastica_10", 10)):
            state, _ = self.states(self.solve(CASES / "benchmarks" / f"{name}.json"))
            x = state.position[0, :, 0]
            np.testing.assert_allclose(state.bending_moment[0], -force * (x[-1] - x), rtol=0,
                                       atol=2e-9 * force)
            # N and Q are the same force in every section; N = EA ε to rounding, of EA = 1e8 and
            # lengths of 1/16 that are differences of coordinates up to 1.
            total = np.hypot(state.axial_force, state.shear_force)
            np.testing.assert_allclose(total, force, rtol=0, atol=1e8 * 16 * 2.2e-16)

    def test_places_of_the_elastica_converge_with_order_four(self):
        # Exact: θ″ = P L²/EI cos θ from the tip's angle (reference value), by classical
        # Runge-Kutta with 20000 steps.
        load, slope = 10.0, 1.4302855388
        share = 0.37
        exact = self.elastica(load, slope, share)
        errors = []
        for elements in (8, 16, 32):
            case = load_case("benchmarks/elastica_10.json")
            case["sections"]["strip"].update(EA=1e11, GAs=1e11)  # inextensible to 1e-10
            case["rods"]["rod"]["elements"] = elements
            state, _ = self.states(self.solve(case), places=np.array([share]))
            errors.append(np.hypot(*(state.position[0, 0] - exact[:2])))
        orders = np.log2(np.array(errors[:-1]) / errors[1:])
        print(f"places between nodes: errors {errors}, orders {orders}")
        self.assertGreater(orders.min(), 3.5)

    @staticmethod
    def elastica(load, slope, share):
        """(x, y, θ) at a share of the unit cantilever, integrated back from its tip."""
        def rate(state):
            angle = state[2]
            return np.array([np.cos(angle), np.sin(angle), state[3], load * np.cos(angle)])

        def integrate(state, length, steps):
            h = length / steps
            for _ in range(steps):
                a = rate(state)
                b = rate(state + h / 2 * a)
                c = rate(state + h / 2 * b)
                d = rate(state + h * c)
                state = state + h / 6 * (a + 2 * b + 2 * c + d)
            return state
        # The root's curvature follows from the energy integral ½θ′² − load sin θ = const.
        curvature = -np.sqrt(2 * load * np.sin(slope))
        return integrate(np.array([0.0, 0.0, 0.0, curvature]), share, 20000)[:3]

    def test_forces_hold_the_strain_energy(self):
        # ∫ M²/2EI + N²/2EA + Q²/2GAs ds is the strain energy up to the element's own error, of
        # order 4: M has to be right between the nodes, too (linear there, it would be order 2).
        gauss, weights = np.polynomial.legendre.leggauss(4)
        differences = []
        for elements in (8, 16, 32):
            case = load_case("benchmarks/elastica_5.json")
            case["rods"]["rod"]["elements"] = elements
            out = self.solve(case)
            places = ((np.arange(elements)[:, None] + (gauss + 1) / 2) / elements).reshape(-1)
            state, _ = self.states(out, places=places)
            with Results(out) as results:
                section = results.sections["strip"]
                energy = results.array("energy/strain")[-1]
            density = (state.bending_moment ** 2 / section.bending_stiffness
                       + state.axial_force ** 2 / section.axial_stiffness
                       + state.shear_force ** 2 / section.shear_stiffness)[0] / 2
            total = (density.reshape(elements, 4) * weights / 2 / elements).sum()
            differences.append(abs(total / energy - 1))
        orders = np.log2(np.array(differences[:-1]) / differences[1:])
        print(f"energy of the section forces: differences {differences}, orders {orders}")
        self.assertGreater(orders.min(), 3.5)

    def test_roll_up_has_one_moment(self):
        out = self.solve(CASES / "benchmarks" / "roll_up_2.json")
        state, _ = self.states(out)
        moment = state.bending_moment[0]
        with Results(out) as results:
            (extreme,) = [e for e in rod_envelope(results, list(results.rods)[0])
                          if e.quantity == "bending_moment"]
            self.assertEqual(extreme.time, 1)
        np.testing.assert_allclose(moment, moment[0], rtol=1e-8)
        np.testing.assert_allclose(extreme.value, moment[0], rtol=1e-8)

    def test_loads_along_the_rod(self):
        # Linear force and moment along the cantilever: exact at every place with any mesh, but for
        # what the small turn of the sections mixes of N and Q.
        force, turn = (0.02, -0.05), (0.01, -0.004)
        for elements in (1, 3):
            state, length = self.states(self.solve(cantilever(
                elements, p={"on": "rod", "force": [[0.3, force[0]], [-0.1, force[1]]],
                             "moment": list(turn)})))
            s = state.places
            rest = length - s

            def integral(a, b):
                """Of a linear load from every place to the tip, and its first moment there."""
                here = a + (b - a) * s / length
                return rest * (here + b) / 2, rest ** 2 * (here + 2 * b) / 6
            across, lever = integral(*force)
            exact = {"axial_force": integral(0.3, -0.1)[0], "shear_force": -across,
                     "bending_moment": lever + integral(*turn)[0]}
            mixed = np.abs(state.angle).max() * np.abs(exact["axial_force"]).max()
            self.assertLess(mixed, 1e-6)
            for name, value in exact.items():
                np.testing.assert_allclose(getattr(state, name)[0], value, rtol=0,
                                           atol=1e-8 + mixed * length, err_msg=name)

    def test_weight(self):
        # Hanging by its root: N(s) is the weight below, with one element, too.
        case = cantilever(1)
        del case["loads"]
        case["gravity"] = [9.81, 0]
        state, length = self.states(self.solve(case))
        weight = 2700 * 6e-4 * 9.81
        np.testing.assert_allclose(state.axial_force[0], weight * (length - state.places),
                                   rtol=0, atol=1e-8 * weight * length)

    def test_inertia(self):
        # The root of a shaken mast, against the support's reaction at every output time. What is
        # put back along the elements has the nodes' accelerations, linear between them: errors fall
        # with the third power of the element length (Q) and faster, without it with the first.
        errors = []
        for elements in (8, 16):
            case = load_case("features/moving_support.json")
            case["rods"]["mast"]["elements"] = elements
            out = self.solve(case, "run")
            with Results(out) as results:
                state = section_states(results, "mast", [0.0])
                force = results.array("supports/foot/force")
                moment = results.array("supports/foot/moment")
                step = results.rods["mast"].nodes[:2]
                chord = np.diff(results.array("points/position")[:, step, :2], axis=1)[:, 0]
                raw = results.array("rods/mast/shear_force")[:, 0]
            chord /= np.linalg.norm(chord, axis=1)[:, None]
            along = (force * chord).sum(axis=1)
            across = force[:, 1] * chord[:, 0] - force[:, 0] * chord[:, 1]
            errors.append([np.abs(found + sign * exact).max() / np.abs(exact).max()
                           for found, sign, exact in (
                               (state.axial_force[:, 0], 1, along),
                               (state.shear_force[:, 0], -1, across),
                               (state.bending_moment[:, 0], 1, moment), (raw, -1, across))])
        orders = np.log2(np.array(errors[0]) / errors[1])
        print(f"N, Q, M, raw Q at a shaken root: errors {errors}, orders {orders}")
        self.assertGreater(orders[1:3].min(), 2.5)
        self.assertLess(max(errors[1][:3]), 5e-4)

    def test_program_reads_its_own_results(self):
        out = self.solve(CASES / "benchmarks" / "thick_cantilever.json")
        done = subprocess.run([ROOT / "postproc" / "fem-post", "section", out, "--envelope"],
                              text=True, capture_output=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("bending moment", done.stdout)


if __name__ == "__main__":
    unittest.main()
