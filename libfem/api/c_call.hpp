// What a call throws, as a status and a message for C. Nothing here allocates: a message must be
// there when memory is not.
#pragma once

#include <array>
#include <cstddef>
#include <exception>
#include <new>
#include <string_view>

#include "libfem/api/libfem.h"
#include "libfem/api/simulation.hpp"
#include "libfem/base/error.hpp"

namespace fem {

/// A text that ends with 0; what is longer than it can hold is cut.
using CMessage = std::array<char, 1 << 14>;

inline void put_text(CMessage& message, std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  message[text.copy(message.data(), message.size() - 1)] = '\0';
}

/// FEM_OK, or the status of what the call has thrown, which the message then tells.
template <class Call>
fem_status call_for_c(CMessage& message, const Call& call) {
  const auto fail = [&](fem_status status, std::string_view what) {
    put_text(message, what);
    return status;
  };
  try {
    call();
    return FEM_OK;
  } catch (const InputError& error) {
    return fail(FEM_BAD_INPUT, error.what());
  } catch (const SolverError& error) {
    return fail(FEM_SOLVER_FAILED, error.what());
  } catch (const FileError& error) {
    return fail(FEM_FILE_FAILED, error.what());
  } catch (const std::bad_alloc&) {
    return fail(FEM_SOLVER_FAILED, "there is not enough memory for this model");
  } catch (const std::exception& error) {
    return fail(FEM_DEFECT, error.what());
  }
}

}  // namespace fem
