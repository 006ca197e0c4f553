#include "libfem/io/hdf5_index.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libfem/base/error.hpp"
#include "libfem/io/hdf5.hpp"
#include "tests/support/size_limit.hpp"

namespace fem::hdf5 {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kAlignment = 512;
constexpr std::size_t kChunkRows = 512;

// Chunks whose entries stand in the index block, in small, large and paged data blocks, some of
// them below super blocks; behind each there is one whose entry lies in the same block.
constexpr std::array<std::size_t, 8> kChunks{0, 6, 40, 120, 190, 300, 5000, 140000};

std::string load(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void save(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

struct Block {
  std::size_t begin, end;
};

// Whether a chunk lies there: it holds one number as often as fits.
bool is_chunk(std::string_view sector) {
  double first = 0;
  std::memcpy(&first, sector.data(), sizeof first);
  return first >= 1.0 && sector.substr(8) == sector.substr(0, sector.size() - 8);
}

// Blocks of the index that were there before and changed, up to the last byte that did: it is of a
// checksum.
std::vector<Block> find_changed_blocks(std::string_view before, std::string_view after) {
  std::vector<Block> blocks;
  for (std::size_t at = 0; at + kAlignment <= before.size(); at += kAlignment) {
    const std::string_view sector = before.substr(at, kAlignment);
    if (sector.starts_with("EAIB") || sector.starts_with("EADB") || sector.starts_with("EASB")) {
      blocks.push_back({at, at});
    } else if (sector.starts_with("EAHD") || sector.starts_with("OHDR") || is_chunk(sector)) {
      blocks.push_back({before.size(), 0});  // none
    }
    for (std::size_t i = at; i < at + kAlignment && !blocks.empty(); ++i) {
      if (before[i] != after[i]) blocks.back().end = i + 1;
    }
  }
  std::erase_if(blocks, [](const Block& block) { return block.end <= block.begin; });
  return blocks;
}

// The second, but what comes behind the first `written` bytes of a block is as in the first.
std::string tear(const std::string& before, const std::string& after, Block block,
                 std::size_t written) {
  const std::size_t at = block.begin + written;
  return std::string(after).replace(at, block.end - at, before, at, block.end - at);
}

class Hdf5IndexTest : public testing::Test {
 protected:
  void TearDown() override { fs::remove(path_); }

  void write_chunk(std::size_t chunk) {
    const Handle file = open_file(path_, Access::edit);
    write_rows(open_table(file, "/table"), chunk * kChunkRows,
               std::vector<double>(kChunkRows, static_cast<double>(chunk + 1)));
  }

  // Object headers of the file, by their signature.
  std::vector<std::uint64_t> headers() const {
    const std::string bytes = load(path_);
    std::vector<std::uint64_t> found;
    for (std::size_t at = bytes.find("OHDR"); at != std::string::npos;
         at = bytes.find("OHDR", at + 1)) {
      found.push_back(at);
    }
    return found;
  }

  std::size_t mend() const { return mend_indices(path_, headers(), kAlignment); }

  [[nodiscard]] double read_chunk(std::size_t chunk) const {
    const Handle file = open_file(path_, Access::edit);
    return read_row(open_table(file, "/table"), chunk * kChunkRows).at(0);
  }

  fs::path path_ = fs::temp_directory_path() / ("hdf5_index_" + std::to_string(getpid()) + ".h5");
};

TEST(CalcChecksum, IsThatOfItsAuthor) {
  EXPECT_EQ(calc_checksum(""), 0xdeadbeefU);
  EXPECT_EQ(calc_checksum("Four score and seven years ago"), 0x17770551U);
}

TEST_F(Hdf5IndexTest, TornBlocksAreMended) {
  for (const std::size_t chunk : kChunks) {
    SCOPED_TRACE(chunk);
    { create_table(create_file(path_), "/table", {}, {}); }
    write_chunk(chunk);
    const std::string before = load(path_);
    write_chunk(chunk + 1);
    const std::string after = load(path_);
    EXPECT_EQ(mend(), 0U);
    EXPECT_EQ(load(path_), after);

    const std::vector<Block> blocks = find_changed_blocks(before, after);
    ASSERT_FALSE(blocks.empty());
    std::size_t torn = 0;
    for (const Block& block : blocks) {
      for (std::size_t written = 8; written < block.end - block.begin; written += 8) {
        save(path_, tear(before, after, block, written));
        const std::size_t mended = mend();
        if (mended == 0) continue;
        ++torn;
        EXPECT_EQ(mended, 1U);
        EXPECT_EQ(read_chunk(chunk), static_cast<double>(chunk + 1));
        EXPECT_EQ(mend(), 0U);
        save(path_, tear(before, after, block, written));
        EXPECT_THAT([&] { static_cast<void>(read_chunk(chunk)); },
                    testing::ThrowsMessage<FileError>(testing::HasSubstr("resumed mends that")))
            << "it was not torn";
      }
    }
    EXPECT_GT(torn, 0U);
  }
}

TEST_F(Hdf5IndexTest, FilesThatMayNotBeWrittenAreNamed) {
  { create_table(create_file(path_), "/table", {}, {}); }
  write_chunk(120);
  const std::string before = load(path_);
  write_chunk(121);
  const std::string after = load(path_);
  const Block block = find_changed_blocks(before, after).front();
  save(path_, tear(before, after, block, block.end - block.begin - 4));
  const test::SizeLimit limit(0);
  EXPECT_THAT([&] { mend(); },
              testing::ThrowsMessage<FileError>(testing::StrEq(path_.string() + ": cannot write")));
}

// A bit that flipped in an address is not covered up where the address cannot be one then.
TEST_F(Hdf5IndexTest, AddressesThatCannotBeAreLeft) {
  { create_table(create_file(path_), "/table", {}, {}); }
  write_chunk(120);
  const std::string good = load(path_);
  const std::size_t block = good.rfind("EADB");
  const std::size_t entry = block + 14 + 4 + 4 * 8;
  const auto can_be = [&](std::uint64_t address) {
    return address % kAlignment == 0 && address < good.size();
  };
  std::uint64_t address = 0;
  std::memcpy(&address, &good[entry], sizeof address);
  ASSERT_TRUE(can_be(address));
  for (std::size_t bit = 0; bit < 64; ++bit) {
    if (can_be(address ^ std::uint64_t{1} << bit)) continue;
    std::string bad = good;
    bad[entry + bit / 8] = static_cast<char>(bad[entry + bit / 8] ^ 1 << bit % 8);
    save(path_, bad);
    EXPECT_EQ(mend(), 0U) << bit;
  }
}

TEST_F(Hdf5IndexTest, DamagedFilesEndInNoCrash) {
  { create_table(create_file(path_), "/table", {}, {}); }
  write_chunk(300);
  const std::string good = load(path_);
  std::minstd_rand random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string bad = good.substr(0, i % 3 == 0 ? random() % good.size() : good.size());
    for (int k = 0; k < 20 && !bad.empty(); ++k) {
      bad[random() % bad.size()] = static_cast<char>(random());
    }
    save(path_, bad);
    EXPECT_NO_THROW(mend());
  }
  EXPECT_THROW(mend_indices(path_ / "none", {}, kAlignment), FileError);
}

// Headers with a checksum that is right and numbers that are not: nothing is read beyond the file.
TEST_F(Hdf5IndexTest, ImpossibleHeadersEndInNoCrash) {
  { create_table(create_file(path_), "/table", {}, {}); }
  write_chunk(300);
  const std::string good = load(path_);
  const std::size_t header = good.find("EAHD");
  constexpr std::size_t kBits = 7, kSmallest = 9, kPastShape = 12, kSize = 12 + 7 * 8;
  const auto save_with_checksum = [&](std::string bytes) {
    const std::uint32_t checksum = calc_checksum(std::string_view(bytes).substr(header, kSize));
    std::memcpy(&bytes[header + kSize], &checksum, sizeof checksum);
    save(path_, bytes);
  };
  for (std::size_t field = kBits; field < kPastShape; ++field) {
    for (int value = 0; value < 256; ++value) {
      std::string bad = good;
      bad[header + field] = static_cast<char>(value);
      save_with_checksum(bad);
      EXPECT_NO_THROW(mend()) << field << ' ' << value;
    }
  }
  std::string bad = good;
  bad[header + kBits] = 1;           // of the number of an entry
  bad[header + kSmallest] = '\x80';  // block: has more entries than there are numbers
  save_with_checksum(bad);
  EXPECT_EQ(mend(), 0U);
}

}  // namespace
}  // namespace fem::hdf5
