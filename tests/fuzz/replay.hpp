// Replays a corpus: what the fuzzer has found to be interesting, and what was once wrong.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "libfem/io/text_file.hpp"

namespace fem::fuzz {

/// Gives every file of corpus/<name> to a target, and every prefix of the short ones.
inline void replay(const std::string& name, void (*target)(std::string_view)) {
  constexpr std::size_t kShort = 200;
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(FEM_SOURCE_DIR "/tests/fuzz/corpus/" + name)) {
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

}  // namespace fem::fuzz
