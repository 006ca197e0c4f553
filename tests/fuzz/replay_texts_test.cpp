// The corpora of what is read as text or bytes alone.
#include <gtest/gtest.h>

#include "tests/fuzz/replay.hpp"
#include "tests/fuzz/targets.hpp"

namespace fem::fuzz {
namespace {

TEST(FuzzCorpus, Formula) { replay("formula", read_formula); }
TEST(FuzzCorpus, Table) { replay("table", read_table); }
TEST(FuzzCorpus, Checkpoint) { replay("checkpoint", read_checkpoint_file); }

}  // namespace
}  // namespace fem::fuzz
