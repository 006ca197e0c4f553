// All that an embedding program needs: build a case in code or read one, run it, read any quantity,
// steer it. docs/api.md is the guide, examples/cpp a program to copy.
#pragma once

#include "libfem/api/law_handle.hpp"
#include "libfem/api/simulation.hpp"
#include "libfem/base/error.hpp"
#include "libfem/base/version.hpp"
#include "libfem/model/description.hpp"
