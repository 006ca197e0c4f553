// A real number that counts the operations it goes through: for the flops of kernels that are
// templates of their scalar.
#pragma once

#include <cmath>

#include <Eigen/Core>

namespace fem::benchmarks {

/// Operations of the thread since they were last set to zero: additions, subtractions,
/// multiplications, comparisons of size, divisions, roots.
inline thread_local long operations = 0;  // NOLINT(*-avoid-non-const-global-variables)

struct Counted {
  double value = 0;
  Counted() = default;
  Counted(double x) : value(x) {}  // NOLINT(google-explicit-constructor): as a double is
  friend Counted operator+(Counted a, Counted b) { return counted(a.value + b.value); }
  friend Counted operator-(Counted a, Counted b) { return counted(a.value - b.value); }
  friend Counted operator*(Counted a, Counted b) { return counted(a.value * b.value); }
  friend Counted operator/(Counted a, Counted b) { return counted(a.value / b.value); }
  friend Counted operator-(Counted a) { return {-a.value}; }
  Counted& operator+=(Counted b) { return *this = *this + b; }
  Counted& operator-=(Counted b) { return *this = *this - b; }
  Counted& operator*=(Counted b) { return *this = *this * b; }
  Counted& operator/=(Counted b) { return *this = *this / b; }
  friend Counted sqrt(Counted a) { return counted(std::sqrt(a.value)); }
  friend bool operator==(Counted a, Counted b) { return a.value == b.value; }
  friend bool operator<(Counted a, Counted b) { return compared(a.value < b.value); }
  friend bool operator>(Counted a, Counted b) { return compared(a.value > b.value); }
  friend Counted abs(Counted a) { return {std::abs(a.value)}; }
  friend Counted select(bool condition, Counted yes, Counted no) { return condition ? yes : no; }
  // Of offset masses only; one operation each is too few for them.
  friend Counted cos(Counted a) { return counted(std::cos(a.value)); }
  friend Counted sin(Counted a) { return counted(std::sin(a.value)); }

 private:
  static bool compared(bool result) {
    ++operations;
    return result;
  }
  static Counted counted(double x) {
    ++operations;
    return {x};
  }
};

}  // namespace fem::benchmarks

template <>
struct Eigen::NumTraits<fem::benchmarks::Counted> : Eigen::NumTraits<double> {
  using Real = fem::benchmarks::Counted;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = Real;
};
