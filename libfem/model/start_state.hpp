// A model that starts from a state stored by an earlier analysis instead of from its points.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "libfem/model/model.hpp"

namespace fem {

/// Positions of everything in one row of a results file.
struct StoredState {
  std::string source;                 ///< the file, for messages
  double time = 0;                    ///< s; in statics, at which the laws were taken
  bool is_statics = false;            ///< a point of equilibrium, not an instant
  double load_factor = 1;             ///< by which statics scaled gravity, loads and changes
  std::vector<std::string> points{};  ///< named points, then nodes inside rods
  std::vector<double> position{};     ///< [points][3], m
  struct Angles {
    std::string name;
    std::vector<double> angle{};  ///< rod: at both ends of each element; body: one, rad
  };
  std::vector<Angles> rods{}, bodies{};
  struct HingeState {
    std::string name;
    LockKind locked = LockKind::none;
  };
  std::vector<HingeState> hinges{};
};

/// The natural coordinates that the state gives the model. Throws InputError at `pointer` where the
/// mesh is another, with the first difference.
[[nodiscard]] std::vector<double> match_state(const Model& model, const StoredState& state,
                                              const std::string& pointer);

/// Hinges are locked and let go as in the state, at `natural`: latches have caught, what is held
/// there is held. For modes about the state.
void lock_as_stored(Model& model, const StoredState& state, const std::vector<double>& natural);

/// The model starts from the state (Model::start): supports and drives hold or change what is
/// prescribed from the values there, rigid joints and arms stay as the points make them; hinges are
/// held as the case says, and what was latched or jammed in the state stays so. Throws InputError
/// at `pointer` where the state does not satisfy them.
void start_from(Model& model, const StoredState& state, const std::string& pointer);

}  // namespace fem
