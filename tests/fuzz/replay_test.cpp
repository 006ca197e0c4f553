// Replays the corpora: what the fuzzer has found to be interesting, and what was once wrong.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "libfem/io/text_file.hpp"
#include "tests/fuzz/targets.hpp"

namespace fem {
namespace {

using Target = void (*)(std::string_view);

// Every file of the corpus, and every prefix of the short ones.
void replay(const std::string& corpus, Target target) {
  constexpr std::size_t kShort = 200;
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(FEM_SOURCE_DIR "/tests/fuzz/corpus/" + corpus)) {
    files.push_back(entry.path());
  }
  ASSERT_FALSE(files.empty());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    SCOPED_TRACE(file.string());
    const std::string bytes = load_text(file);
    EXPECT_NO_THROW(target(bytes));
    for (std::size_t size = 0; size < std::min(bytes.size(), kShort); ++size) {
      EXPECT_NO_THROW(target(std::string_view(bytes).substr(0, size))) << size;
    }
  }
}

TEST(FuzzCorpus, Case) { replay("case", fuzz::read_case_text); }
TEST(FuzzCorpus, Formula) { replay("formula", fuzz::read_formula); }
TEST(FuzzCorpus, Table) { replay("table", fuzz::read_table); }
TEST(FuzzCorpus, Checkpoint) { replay("checkpoint", fuzz::read_checkpoint_file); }
TEST(FuzzCorpus, Resume) { replay("resume", fuzz::resume_changed_state); }

}  // namespace
}  // namespace fem
