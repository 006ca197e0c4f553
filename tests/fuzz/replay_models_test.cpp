// The corpora of what models are made of, and runs.
#include <gtest/gtest.h>

#include "tests/fuzz/replay.hpp"
#include "tests/fuzz/targets.hpp"

namespace fem::fuzz {
namespace {

TEST(FuzzCorpus, Case) { replay("case", read_case_text); }
TEST(FuzzCorpus, Resume) { replay("resume", resume_changed_state); }

}  // namespace
}  // namespace fem::fuzz
