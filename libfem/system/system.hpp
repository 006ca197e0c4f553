// The system of a model: accelerations under constraints, reactions, energies, velocity jumps.
//
//   (𝒯 M 𝒯ᵀ) a_i = −𝒯 (f + M a_p),    a = 𝒯ᵀ a_i + a_p,    a_p = (0, H φ̈)
//   λ = Hᵀ (M a + f)_d                                     with M q̈ + f = Dᵀλ
//
// Vectors q, v, a are stored vectors (system/numbering): independent coordinates first. A System
// owns its scratch, so one System serves one thread of control; copies are independent.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <Eigen/SparseCore>

#include "libfem/base/error.hpp"
#include "libfem/base/long_array.hpp"
#include "libfem/base/parallel.hpp"
#include "libfem/constraint/projection.hpp"
#include "libfem/law/law.hpp"
#include "libfem/linalg/block_ldlt.hpp"
#include "libfem/linalg/step_weights.hpp"
#include "libfem/model/model.hpp"
#include "libfem/rod/frame_load.hpp"
#include "libfem/system/attachments.hpp"
#include "libfem/system/curved_group.hpp"
#include "libfem/system/gather_plan.hpp"
#include "libfem/system/hereditary_pool.hpp"
#include "libfem/system/numbering.hpp"
#include "libfem/system/rate_rows.hpp"
#include "libfem/system/rod_memory.hpp"
#include "libfem/system/rod_pool.hpp"
#include "libfem/system/stencil.hpp"

namespace fem {

/// Energies, J, and the powers that change their sum, W.
struct Energies {
  double kinetic = 0;
  double strain = 0;      ///< of rods
  double springs = 0;     ///< potential of springs and hinges
  double hereditary = 0;  ///< stored in hereditary elements
  double gravity = 0;     ///< potential of all masses; zero at the origin
  double external = 0;    ///< power of loads
  double dissipated = 0;  ///< power of dampers, friction and damped rods
  double rheonomic = 0;   ///< power of lengths and angles in series with hereditary elements
  double forgotten = 0;   ///< dissipated by hereditary elements since the start, J
  [[nodiscard]] double total() const noexcept {
    return kinetic + strain + springs + hereditary + gravity;
  }
  template <class Archive>
  void archive(Archive& a) {
    a(kinetic, strain, springs, hereditary, gravity, external, dissipated, rheonomic, forgotten);
  }
};

/// Momentum of all masses, and where they are.
struct Momentum {
  double mass = 0;                 ///< kg
  std::array<double, 3> center{};  ///< of mass, m
  std::array<double, 3> linear{};  ///< kg m/s
  double angular = 0;              ///< about the Z axis through the origin, kg m²/s
};

struct FrameMotion;

/// From the axes of a moving frame, and about its pole, to the inertial ones.
void into_inertial_axes(const FrameMotion& frame, Momentum& momentum);

class System {
 public:
  /// The model must outlive the system. Throws InputError where constraints contradict. Dependent
  /// coordinates are chosen at the configuration `natural` [coordinates] and time t, by default the
  /// initial ones. A highest frequency that is known (rad/s) need not be estimated.
  System(const Model& model, Parallelism parallelism, std::span<const double> natural = {},
         std::optional<double> highest_frequency = {}, double t = 0);

  [[nodiscard]] const Model& model() const noexcept { return *model_; }
  [[nodiscard]] const Projection& projection() const noexcept { return projection_; }
  [[nodiscard]] const Numbering& numbering() const noexcept { return numbering_; }

  /// Length of stored vectors, and how many of their entries are independent.
  [[nodiscard]] std::size_t size() const noexcept { return coordinate_count_; }
  [[nodiscard]] std::size_t independent() const noexcept { return independent_; }

  /// Stored place of a natural coordinate.
  [[nodiscard]] std::size_t place(int coordinate) const {
    return static_cast<std::size_t>(numbering_.place[static_cast<std::size_t>(coordinate)]);
  }

  /// A stored vector of the values of all natural coordinates.
  [[nodiscard]] std::vector<double> store(std::span<const double> natural) const;

  /// Positions of the initial state.
  [[nodiscard]] std::vector<double> initial_positions() const;

  /// Fills in the dependent entries of q and v: f(q_i, q_d) = φ, v_d = G v_i + H φ̇. This is the
  /// projection onto the constraints that leaves the independent coordinates as they are; rows of
  /// rates change some of the independent velocities (system/rate_rows). Where
  /// f is curved and implicit, q_d is searched from the entries that q holds.
  Outcome complete(double t, Side side, std::span<double> q, std::span<double> v);

  /// Whether another choice of dependent coordinates would serve better at the configuration of the
  /// last call: make a new System there.
  [[nodiscard]] bool wants_new_dependents() const;

  /// Whether the constraints are close to losing their rank at the configuration of the last call,
  /// and whether they are so close that the rounding of the geometry shows in the accelerations.
  [[nodiscard]] bool near_singular() const;
  [[nodiscard]] bool is_uncertain() const;

  /// Accelerations at (t, q, v); completes q and v first. Leaves what reactions() and
  /// drive_power() read.
  Outcome acceleration(double t, Side side, std::span<double> q, std::span<double> v,
                       std::span<double> a);

  /// 𝒯(M a + f) on the independent places [independent()] at (t, q, v, a), which are completed
  /// first: what an implicit step brings to zero. Leaves what reactions() and drive_power() read.
  Outcome balance(double t, Side side, std::span<double> q, std::span<double> v,
                  std::span<double> a, std::span<double> residual);

  /// The factorized matrix 𝒯(m M + c C + K)𝒯ᵀ at the configuration of the last balance(), q and v.
  /// Left out are the changes of M and 𝒯 with q, and what is not symmetric.
  Outcome factorize_step(double t, const StepWeights& weights, std::span<const double> q,
                         std::span<const double> v);

  /// Solves with it, in place, [independent()].
  void solve_step(std::span<double> b) const { step_matrix_->solve(b); }

  /// The factors of that matrix, for a checkpoint; empty before the first. And back: whether they
  /// are as many as this system has.
  [[nodiscard]] std::vector<double> step_factors();
  [[nodiscard]] bool set_step_factors(std::span<const double> factors);

  /// λ of every row [rows] at the state and accelerations of the last acceleration(): force or
  /// moment of the constraint, in the sense of its coordinate (a drive: on the second member).
  [[nodiscard]] std::vector<double> reactions(std::span<const double> a) const;

  /// Σ λ φ̇ over the prescribed laws, W, at the last acceleration().
  [[nodiscard]] double drive_power(std::span<const double> a) const;

  /// Velocities after the rates of laws jump at t: the least change in the mass metric that
  /// satisfies D v = d⁺. `v` holds v⁻ and receives v⁺. Returns in `impulses` the Λ of every row.
  Outcome jump(double t, std::span<double> q, std::span<double> v, std::vector<double>& impulses);

  /// Energies and powers of a completed state; in statics with the factor of its prescribed
  /// changes.
  [[nodiscard]] Energies energies(double t, Side side, std::span<const double> q,
                                  std::span<const double> v, double factor = 1);

  /// What hereditary elements and rods remember; a state of the motion has it beside q and v. Until
  /// it is started all of them have relaxed.
  struct Memory {
    HereditaryState elements{};
    RodMemoryState rods{};
  };
  void start_memory(const TimeScales& scales, std::span<const double> q);
  [[nodiscard]] Memory memory() const { return {hereditary_.state(), rod_memory_.state()}; }
  void set_memory(const Memory& memory);
  [[nodiscard]] bool remembers() const noexcept {
    return !hereditary_.empty() || !rod_memory_.empty();
  }
  /// A step to the completed state q at t is accepted; `side` where lengths in series jump.
  void commit_memory(double t, Side side, std::span<const double> q);
  [[nodiscard]] const HereditaryPool& hereditary() const noexcept { return hereditary_; }
  [[nodiscard]] const RodMemory& rod_memory() const noexcept { return rod_memory_; }
  /// Of the tangents of statics.
  void set_hereditary_stiffness(HereditaryStiffness stiffness) noexcept;

  /// ∂q/∂q_i of one natural coordinate, by independent places.
  [[nodiscard]] std::vector<std::pair<std::size_t, double>> independent_shares(
      int coordinate) const;

  /// Momentum of a completed state: the kinetic energy's derivative along a shift and a turn of the
  /// whole, ∂T/∂v·δq. It is what loads and supports change, and nothing else. In the inertial axes.
  [[nodiscard]] Momentum momentum(double t, Side side, std::span<const double> q,
                                  std::span<const double> v);

  /// Powers of loads and dampers at a completed state, in `external` and `dissipated`; does not
  /// touch what acceleration() left. Zero at no cost where the model has neither.
  [[nodiscard]] Energies powers(double t, Side side, std::span<const double> q,
                                std::span<const double> v);

  /// The same powers at the absolute velocities w.
  [[nodiscard]] Energies powers_of_motion(double t, Side side, std::span<const double> q,
                                          std::span<const double> w) const;

  /// Energies of rest, in a moving frame with the potential of its inertia in `gravity`.
  [[nodiscard]] Energies energies_at_rest(double t, std::span<const double> q, double factor);

  /// 𝒯 G v on the independent places: the forces of velocities v (stored vector, completed) in a
  /// frame that turns steadily. Statics has to be assembled anew afterwards.
  [[nodiscard]] std::vector<double> gyroscopic_forces(double t, std::span<const double> q,
                                                      std::span<const double> v);

  /// Of a moving frame (frame/frame_motion.hpp), over all coordinates: the velocities s of what
  /// rests in it, stored vector. Zero without a frame.
  [[nodiscard]] std::vector<double> transport(double t, Side side, std::span<const double> q) const;

  /// Σ λ D s, W: power of all constraints because the frame carries them, at the last
  /// acceleration(), which left `a`.
  [[nodiscard]] double frame_power(double t, Side side, std::span<const double> q,
                                   std::span<const double> a) const;

  /// R₀ of every law of the model, conjugate to its value, at the last acceleration(), which left
  /// `a`: Σ λ of the rows that it prescribes, − λ ∂f/∂φ of formulas that hold it, − P of hereditary
  /// elements in series with it, and what the frame exerts by it. Added to `reactions`, [laws].
  void law_reactions(double t, Side side, std::span<const double> q, std::span<const double> v,
                     std::span<const double> a, std::span<double> reactions) const;

  /// What a moving frame needs to know of the masses, at the last acceleration(); all in its axes
  /// and about its pole.
  struct FrameSums {
    double kinetic = 0;                ///< T′ = ½ vᵀM v, J
    double inertia = 0;                ///< J about Z, kg m²
    double angular = 0;                ///< of the relative motion, kg m²/s
    std::array<double, 3> first{};     ///< m r_c, kg m
    std::array<double, 3> momentum{};  ///< m v_c, kg m/s
  };
  [[nodiscard]] FrameSums frame_sums(std::span<const double> q, std::span<const double> v) const;

  [[nodiscard]] const Attachments& attachments() const noexcept { return attachments_; }

  /// Statics at time t of the laws, with gravity, loads and prescribed changes scaled by `factor`:
  /// fills in the dependent entries of q, assembles the tangent 𝒯K𝒯ᵀ and returns the residual
  /// 𝒯(U_q − factor Q) on the independent places [independent()]. Equilibrium is residual = 0.
  /// Where no q_d satisfies the constraints, or the ends of a spring meet, the residual is not a
  /// number.
  void assemble_statics(double t, double factor, std::span<double> q, std::span<double> residual);

  /// The same, and how the residual changes with the factor at fixed independent coordinates.
  void assemble_load_rate(double t, double factor, std::span<double> q, std::span<double> residual,
                          std::span<double> rate);

  /// What follower loads add to the tangent of assemble_statics at the same arguments, which is
  /// symmetric and has no place for it: Σ u wᵀ, on the independent places.
  struct FollowerTerm {
    std::vector<std::pair<std::size_t, double>> u, w;  ///< place, value
  };
  [[nodiscard]] std::vector<FollowerTerm> follower_terms(double t, double factor,
                                                         std::span<const double> q) const;

  /// xᵀKy of two motions (stored vectors, dependents too) with the K that assemble_statics was
  /// called for last, at the same factor and q; follower terms excluded. The rods' part is taken
  /// from the strains that the motions cause, so products of large numbers do not hide soft
  /// motions.
  struct Form {
    double value = 0;
    double rounding = 0;  ///< what the rounding of coordinates may make of it
  };
  [[nodiscard]] Form stiffness_form(double factor, std::span<const double> q,
                                    std::span<const double> x, std::span<const double> y) const;

  /// Assembles the mass matrix 𝒯M𝒯ᵀ at q (completed).
  void assemble_mass(std::span<const double> q);

  /// The matrix that was assembled last and not factorized yet, both triangles, independent places;
  /// spare places have a one on the diagonal.
  [[nodiscard]] Eigen::SparseMatrix<double> assembled_matrix();

  /// Adds springs on the independent places, [independent()], to the matrix that was assembled
  /// last.
  void stiffen_assembled(std::span<const double> stiffness);

  /// L D Lᵀ of the assembled matrix; `negative` counts its negative pivots (Pivots::nonzero).
  Outcome factorize_assembled(Pivots pivots, int& negative);

  /// Solves with the last factorization, in place, [independent()].
  void solve_factorized(std::span<double> b) const { matrix_.solve(b); }

  /// Dependent entries of a change of q that follows the independent ones: x_d = G x_i, with the G
  /// of the last configuration.
  void complete_change(std::span<double> x) const;

  /// The same in statics, while the factor of assemble_statics changes by `rate`:
  /// x_d = G x_i + H φ rate, with the prescribed changes φ of time t.
  void complete_change(double t, double rate, std::span<double> x) const;

  /// Σ Λ φ rate of the prescribed changes, at the state q that assemble_statics was called for last
  /// with this factor.
  [[nodiscard]] double static_drive_power(double t, double factor, double rate,
                                          std::span<const double> q) const;

  /// Of every independent velocity, whether it follows from the others by a row of rates: what is
  /// left are Osiński's quasi-velocities. [independent()]
  [[nodiscard]] std::vector<char> follows_from_rates() const;

  /// Largest |f| and |D v − d| over all rows, dropped ones too.
  struct Violation {
    double position = 0;
    double velocity = 0;
  };
  [[nodiscard]] Violation violation(double t, Side side, std::span<const double> q,
                                    std::span<const double> v) const;
  [[nodiscard]] Violation row_violation(int row, double t, Side side, std::span<const double> q,
                                        std::span<const double> v) const;

  /// The highest natural frequency to step by, rad/s: the largest of any free undeformed element,
  /// which bounds those of the mesh, or of the whole initial state where springs make it higher.
  [[nodiscard]] double highest_frequency() const noexcept { return highest_frequency_; }

  /// Name of what an unknown belongs to, for messages: "X of point 'A'".
  [[nodiscard]] std::string describe_unknown(std::size_t place) const;

 private:
  // Rows of G and H, in stored places.
  struct Compressed {
    std::vector<int> start{0};
    std::vector<int> index;
    std::vector<double> weight;
  };
  // A coordinate of an object that is a dependent one.
  struct Touch {
    int dependent;
    int stencil;
    int local;
  };
  // An object whose matrix and force have to be turned into independent coordinates before they
  // are summed: it holds coordinates that move by a law, or with a weight other than one.
  struct Indirect {
    int stencil;
    std::vector<int> places;                    // independent ones
    std::vector<double> weights;                // W, [count of the stencil][places]: q̇ = W q̇_i
    int base;                                   // of WᵀMW and Wᵀ(f + M a_p) in the buffer
    std::vector<std::array<int, 2>> renewed{};  // weights that are entries of G which change
  };
  Outcome complete_statics(double t, double factor, std::span<double> q);
  void evaluate_statics(double t, double factor, std::span<const double> q);
  [[nodiscard]] bool is_indirect(const Stencil& stencil) const;
  [[nodiscard]] Indirect make_indirect(int stencil, int base) const;
  void compress_projection();
  void list_touches();
  void list_indirect();
  void plan_assembly();
  void update_rows(double t, Side side);
  Outcome fill_positions(double t, std::span<double> q, const std::vector<double>& right_sides);
  Outcome update_groups(std::span<const double> q);
  void start_groups(double t, std::span<const double> natural);
  void update_drift(double t, Side side, std::span<const double> q);
  void update_curvature(double t, Side side, std::span<const double> q, std::span<const double> v);
  void update_rate_rows(double t, std::span<const double> q);
  void choose_rates(double t, std::span<const double> q);
  Outcome satisfy_rates(double t, std::span<const double> q, std::span<double> v);
  Outcome constrain_rates(const std::vector<double>& right, std::span<double> x);
  [[nodiscard]] Eigen::VectorXd rate_residual(const std::vector<double>& right,
                                              std::span<const double> x) const;
  void add_constraint_stiffness(double t, std::span<const double> q);
  void clear_row_stencils();
  void reduce_indirect();
  [[nodiscard]] double row_sum(const std::vector<double>& values, int dependent) const;
  void gather_matrix(BlockLdlt& matrix, std::optional<std::span<double>> forces = {});
  void gather_forces(std::span<double> b);
  void change_sign(std::span<double> b) const;
  Outcome solve_independent(std::span<double> x);
  void fill_dependents(std::span<double> x, const std::vector<double>& row_values,
                       bool curved = true) const;
  [[nodiscard]] double estimate_highest_frequency(std::span<const double> natural);
  void evaluate_objects(double t, Side side, std::span<const double> q, std::span<const double> v);
  void multiply_objects(std::span<const double> u, Product product = Product::replace);
  [[nodiscard]] std::span<const double> absolute_velocities(double t, Side side,
                                                            std::span<const double> q,
                                                            std::span<const double> v);
  void add_frame_forces(double t, Side side, std::span<const double> q, std::span<const double> v);
  void fill_frame_accelerations(double t, Side side, std::span<const double> q,
                                std::span<const double> v, std::vector<double>& b_less_g);
  [[nodiscard]] double mass_form(std::span<const double> x, std::span<const double> y) const;
  [[nodiscard]] double frame_gravity(double t, Side side, std::span<const double> q) const;
  void add_frame_statics(double factor, std::span<const double> q);
  [[nodiscard]] FrameLoad body_frame_load(std::size_t body, std::span<const double> q) const;
  void add_first_moments(std::span<const double> q, Momentum& sum) const;
  void evaluate_step_forces(double t, Side side, std::span<const double> q,
                            std::span<const double> v, std::span<const double> a);
  [[nodiscard]] double object_force(int stencil, int local, std::span<const double> a) const;
  [[nodiscard]] double dependent_force(int dependent, std::span<const double> a) const;
  [[nodiscard]] Outcome explain_failure(std::span<const double> q, const Outcome& outcome) const;

  const Model* model_;
  Parallelism parallelism_;
  Projection projection_;
  std::vector<Stencil> stencils_;  // rod elements, then attachments, then formulas of rows
  std::size_t first_row_stencil_ = 0;
  Numbering numbering_;
  std::size_t coordinate_count_;
  std::size_t independent_;
  RodPool rods_;
  Attachments attachments_;
  HereditaryPool hereditary_;
  RodMemory rod_memory_;
  Compressed g_, h_;
  std::vector<CurvedGroup> groups_;
  RateRows rate_rows_;
  std::vector<int> curved_rows_;
  std::vector<char> is_curved_;  // of every dependent: in a group
  GatherPlan diagonal_plan_, off_diagonal_plan_, force_plan_;
  std::vector<int> moving_rows_;  // rows with a law
  std::vector<char> moves_;       // of every dependent: a moving row in H
  std::vector<int> moving_dependents_;
  std::vector<Touch> touches_;    // sorted by dependent
  std::vector<int> touch_start_;  // [dependents + 1]
  std::vector<Indirect> indirect_;
  double wear_limit_ = 0;
  double highest_frequency_ = 0;
  bool has_powers_ = false;  // loads or dampers

  // Scratch.
  BlockLdlt matrix_;
  std::optional<BlockLdlt> step_matrix_;  // of implicit steps
  LongArray<double> buffer_;
  bool forces_are_whole_ = false;  // those in the buffer have M a with them
  std::vector<double> row_position_, row_rate_, row_acceleration_;
  std::vector<double> particular_;  // stored vector, nonzero on moving dependents
  std::vector<double> whole_;       // stored vector, accelerations with those of a moving frame
  std::vector<double> absolute_;    // stored vector, of a moving frame: velocities, then b − g
  std::vector<double> satisfied_;   // right sides of the rows that the last positions satisfy,
  double satisfied_time_ = 0;       // and when
  SteadyFrame steady_frame_{};      // of the last statics
  struct RateTerm {
    int row;  // of the rows of rates
    std::size_t place;
    double weight;
  };
  std::vector<RateTerm> rate_terms_;      // D of the rows of rates
  std::vector<double> rate_multipliers_;  // of them
  std::vector<double> rate_force_;        // their Dᵀμ, stored vector
};

}  // namespace fem
