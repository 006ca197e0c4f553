#include "libfem/formula/formula.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <numbers>
#include <utility>

#include "libfem/base/names.hpp"

namespace fem {
namespace {

using Operation = FormulaOperation;

struct Function {
  std::string_view name;
  Operation operation;
};
constexpr std::array<Function, 16> kFunctions = {{{"sin", Operation::sin},
                                                  {"cos", Operation::cos},
                                                  {"tan", Operation::tan},
                                                  {"asin", Operation::asin},
                                                  {"acos", Operation::acos},
                                                  {"atan", Operation::atan},
                                                  {"atan2", Operation::atan2},
                                                  {"sinh", Operation::sinh},
                                                  {"cosh", Operation::cosh},
                                                  {"tanh", Operation::tanh},
                                                  {"exp", Operation::exp},
                                                  {"log", Operation::log},
                                                  {"sqrt", Operation::sqrt},
                                                  {"hypot", Operation::hypot},
                                                  {"abs", Operation::abs},
                                                  {"pow", Operation::power}}};

constexpr int kMostNesting = 64;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Letters of other alphabets are bytes beyond ASCII.
bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::variant<Formula, FormulaProblem> parse() {
    try {
      sum();
      skip_space();
      if (at_ < text_.size()) fail_between();
    } catch (FormulaProblem& problem) {
      return std::move(problem);
    }
    return std::move(formula_);
  }

 private:
  [[noreturn]] void fail(std::size_t column, std::string what, std::string remedy) const {
    throw FormulaProblem{column, std::move(what), std::move(remedy)};
  }

  // A value has ended, and what follows neither joins it with another nor closes anything.
  [[noreturn]] void fail_between() const {
    const char c = text_[at_];
    if (is_digit(c) || c == '.' || c == '(' || begins_name(c)) {
      fail(at_, "an operator is missing", "join values with + - * / ^, like 3*t");
    }
    if (c == ')') fail(at_, "this parenthesis is not opened", "remove it, or open it before");
    if (c == ',') {
      fail(at_, "this comma is not between the values of a function",
           "write a decimal point, like 0.25");
    }
    fail(at_, std::string("'") + c + "' is not allowed here", "join values with + - * / ^");
  }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool accept(char c) {
    skip_space();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  void push(Formula::Step step) {
    if (++depth_ > Formula::kMostDepth) {
      fail(step.column, "the formula is nested too deeply", "write it with fewer parentheses");
    }
    formula_.steps.push_back(std::move(step));
  }

  void operate(Operation operation, std::size_t column) {
    depth_ -= static_cast<std::size_t>(formula_arguments(operation)) - 1;
    formula_.steps.push_back({.operation = operation, .column = column});
  }

  void sum() {
    if (++nesting_ > kMostNesting) {
      fail(at_, "the formula is nested too deeply", "write it with fewer parentheses");
    }
    product();
    for (;;) {
      skip_space();
      const std::size_t column = at_;
      if (accept('+')) {
        product();
        operate(Operation::add, column);
      } else if (accept('-')) {
        product();
        operate(Operation::subtract, column);
      } else {
        break;
      }
    }
    --nesting_;
  }

  void product() {
    sign();
    for (;;) {
      skip_space();
      const std::size_t column = at_;
      if (accept('*')) {
        sign();
        operate(Operation::multiply, column);
      } else if (accept('/')) {
        sign();
        operate(Operation::divide, column);
      } else {
        return;
      }
    }
  }

  void sign() {
    skip_space();
    const std::size_t column = at_;
    if (++nesting_ > kMostNesting) fail(at_, "there are too many signs", "write one at most");
    if (accept('-')) {
      sign();
      operate(Operation::negate, column);
    } else if (accept('+')) {
      sign();
    } else {
      power();
    }
    --nesting_;
  }

  void power() {
    value();
    skip_space();
    const std::size_t column = at_;
    if (!accept('^')) return;
    sign();
    operate(Operation::power, column);
  }

  void value() {
    skip_space();
    const std::size_t column = at_;
    if (at_ >= text_.size()) {
      fail(column, "the formula ends where a value should follow", "write a number or a name");
    }
    const char c = text_[at_];
    if (accept('(')) {
      sum();
      close(column);
    } else if (is_digit(c) || c == '.') {
      number();
    } else if (begins_name(c)) {
      name();
    } else {
      fail(column, std::string("'") + c + "' is not allowed here",
           "write a number, a name or an opening parenthesis");
    }
  }

  void close(std::size_t opened) {
    if (accept(')')) return;
    if (at_ >= text_.size()) fail(opened, "the parenthesis is not closed", "add a ')'");
    fail_between();
  }

  void number() {
    const std::size_t column = at_;
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc{}) fail(column, "this is not a number", "write it like 0.25 or 1e-3");
    at_ += static_cast<std::size_t>(end - begin);
    push({.operation = Operation::constant, .constant = value, .column = column});
  }

  // At a character that begins one.
  std::string read_name() {
    std::string name;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\'') {
        const std::size_t end = text_.find('\'', at_ + 1);
        if (end == std::string_view::npos) fail(at_, "the quote is not closed", "add a \"'\"");
        name += text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
      } else if (begins_name(c) || is_digit(c)) {
        name += c;
        ++at_;
      } else {
        break;
      }
    }
    return name;
  }

  void name() {
    const std::size_t column = at_;
    const std::string name = read_name();
    if (accept('(')) {
      call(name, column);
    } else if (name == "pi") {
      push({.operation = Operation::constant, .constant = std::numbers::pi, .column = column});
    } else {
      demand_no_function(name, column);
      auto& names = formula_.names;
      const auto found = std::find(names.begin(), names.end(), name);
      const auto index = static_cast<int>(found - names.begin());
      if (found == names.end()) names.push_back(name);
      push({.operation = Operation::variable, .variable = index, .column = column});
    }
  }

  static const Function* find_function(const std::string& name) {
    return std::find_if(kFunctions.begin(), kFunctions.end(),
                        [&](const Function& f) { return f.name == name; });
  }

  // "sin t".
  void demand_no_function(const std::string& name, std::size_t column) {
    skip_space();
    if (at_ >= text_.size() || find_function(name) == kFunctions.end()) return;
    if (!begins_name(text_[at_]) && !is_digit(text_[at_])) return;
    fail(column, "the value of the function '" + name + "' does not stand in parentheses",
         "write " + name + "(…)");
  }

  void call(const std::string& name, std::size_t column) {
    const Function* function = find_function(name);
    if (function == kFunctions.end()) {
      std::vector<std::string> known;
      for (const Function& f : kFunctions) known.emplace_back(f.name);
      const std::string nearest = nearest_name(name, known);
      fail(column, "there is no function '" + name + "'",
           (nearest.empty() ? "" : "did you mean '" + nearest + "'? ") + "known are " +
               list_names(known, known.size()));
    }
    const int wanted = formula_arguments(function->operation);
    int given = 1;
    sum();
    for (; accept(','); ++given) sum();
    close(column);
    if (given != wanted) {
      fail(column,
           "'" + name + "' takes " + std::to_string(wanted) + (wanted == 1 ? " value" : " values") +
               ", not " + std::to_string(given),
           wanted == 1 ? "give it one value" : "give it two values, separated by a comma");
    }
    operate(function->operation, column);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  int nesting_ = 0;
  Formula formula_;
};

}  // namespace

std::variant<Formula, FormulaProblem> parse_formula(std::string_view text) {
  return Parser(text).parse();
}

std::string show_place(std::string_view text, std::size_t column) {
  if (column >= text.size()) return "at the end of '" + std::string(text) + "'";
  return "at column " + std::to_string(column + 1) + ", '" + std::string(text.substr(column, 20)) +
         "', of '" + std::string(text) + "'";
}

int formula_arguments(FormulaOperation operation) {
  switch (operation) {
    case Operation::constant:
    case Operation::variable:
      return 0;
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::power:
    case Operation::atan2:
    case Operation::hypot:
      return 2;
    default:
      return 1;
  }
}

std::size_t find_not_linear(const Formula& formula, const std::vector<bool>& variables) {
  std::vector<bool> holds;  // of every entry of the stack: one of the variables
  for (const Formula::Step& step : formula.steps) {
    switch (step.operation) {
      case Operation::constant:
        holds.push_back(false);
        continue;
      case Operation::variable:
        holds.push_back(variables[static_cast<std::size_t>(step.variable)]);
        continue;
      case Operation::negate:
        continue;
      default:
        break;
    }
    bool second = false;
    if (formula_arguments(step.operation) == 2) {
      second = holds.back();
      holds.pop_back();
    }
    const bool first = holds.back();
    switch (step.operation) {
      case Operation::add:
      case Operation::subtract:
        break;
      case Operation::multiply:
        if (first && second) return step.column;
        break;
      case Operation::divide:
        if (second) return step.column;
        break;
      default:
        if (first || second) return step.column;
    }
    holds.back() = first || second;
  }
  return kLinear;
}

}  // namespace fem
