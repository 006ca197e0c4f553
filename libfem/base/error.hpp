// Three kinds of failure, three words.
//   InputError   the user's input is wrong: where (JSON pointer), what, and what would be right.
//   Outcome      a numerical step went well or not: a returned value, never an exception in a step.
//   FEM_DEMAND   a broken contract inside the library or by an embedding program.
#pragma once

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace fem {

/// One thing that is wrong in a case.
struct Problem {
  std::string pointer;  ///< RFC 6901 pointer of the offending value, "/rods/arm/section"
  std::string what;     ///< what is wrong, with the value found
  std::string remedy;   ///< what is allowed, and the nearest valid name where there is one
  std::string place{};  ///< where that is in a file, "case.json:12:5"; "" if it is not known
};

/// "place: pointer: what; remedy", without what is not known, control characters as in JSON;
/// "(the file)" stands for the pointer of a problem of a whole file.
[[nodiscard]] std::string describe(const Problem& problem);

/// The input is wrong; carries every problem found in one pass.
class InputError : public std::exception {
 public:
  explicit InputError(std::vector<Problem> problems) : problems_(std::move(problems)) {
    for (const Problem& p : problems_) text_ += describe(p) + "\n";
  }
  explicit InputError(Problem problem) : InputError(std::vector<Problem>{std::move(problem)}) {}
  [[nodiscard]] const std::vector<Problem>& problems() const noexcept { return problems_; }
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::vector<Problem> problems_;
  std::string text_;
};

/// A file could not be read or written; what() names it.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How a numerical operation ended.
enum class Status {
  ok,
  not_finite,      ///< a value is infinite or NaN; `where` is the index of the unknown
  singular_mass,   ///< the projected mass matrix is not positive definite; `where` is the unknown
  no_convergence,  ///< the iteration of a step did not contract, even with the smallest step
  step_too_small,  ///< the error control asked for a step below the smallest allowed
  points_meet,     ///< the ends of a spring, whose force needs a direction; `where` is the unknown
  singular_pose,   ///< the constraints come close to losing their rank, and no step passes the
                   ///< pose; `where` is the unknown whose acceleration changes most
  constraints_apart,  ///< no positions of the dependent coordinates satisfy the constraints;
                      ///< `where` is the unknown
};

/// The value returned by everything that can fail numerically. `where` is an index whose meaning
/// the status gives; it is turned into names by the caller that knows them.
struct [[nodiscard]] Outcome {
  Status status = Status::ok;
  std::size_t where = 0;
  [[nodiscard]] constexpr bool ok() const noexcept { return status == Status::ok; }
};

/// What a status means, for messages.
[[nodiscard]] const char* describe(Status status) noexcept;

[[noreturn]] void contract_broken(const char* condition, const char* file, int line);

}  // namespace fem

/// A condition the caller owes; checked always, throws std::logic_error.
#define FEM_DEMAND(condition) \
  ((condition) ? static_cast<void>(0) : ::fem::contract_broken(#condition, __FILE__, __LINE__))

/// The same, checked in debug builds only.
#ifdef NDEBUG
#define FEM_ASSERT(condition) static_cast<void>(0)
#else
#define FEM_ASSERT(condition) FEM_DEMAND(condition)
#endif
