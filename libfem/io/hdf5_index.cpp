#include "libfem/io/hdf5_index.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "libfem/base/error.hpp"

namespace fem::hdf5 {
namespace {

constexpr std::uint64_t kNowhere = ~std::uint64_t{0};  // the address of what is not there
constexpr std::size_t kAddress = 8;                    // bytes
constexpr std::size_t kChecksum = 4;

std::uint64_t read_integer(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

// A file as bytes at addresses.
class Bytes {
 public:
  explicit Bytes(const std::filesystem::path& path)
      : path_(path), stream_(path, std::ios::in | std::ios::out | std::ios::binary) {
    if (!stream_) throw FileError(path.string() + ": cannot open for writing");
    size_ = std::filesystem::file_size(path);
  }

  [[nodiscard]] std::uint64_t size() const { return size_; }

  // Empty if they do not all lie within the file, or cannot be read.
  [[nodiscard]] std::string read(std::uint64_t address, std::size_t count) {
    if (address > size_ || count > size_ - address) return {};
    std::string bytes(count, '\0');
    stream_.seekg(static_cast<std::streamoff>(address));
    if (!stream_.read(bytes.data(), static_cast<std::streamsize>(count))) return {};
    return bytes;
  }

  void write(std::uint64_t address, std::string_view bytes) {
    stream_.seekp(static_cast<std::streamoff>(address));
    stream_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!stream_.flush()) throw FileError(path_.string() + ": cannot write");
  }

 private:
  std::filesystem::path path_;
  std::fstream stream_;
  std::uint64_t size_ = 0;
};

// The message "data layout" of a dataset's object header (version 2), or nothing. As datasets are
// created, it is in the first part of their header.
std::string_view find_layout(std::string_view bytes) {
  constexpr std::size_t kLongestPrefix = 34;  // what stands before the messages
  constexpr std::uint64_t kLayout = 8;        // a message's type
  if (!bytes.starts_with("OHDR\2") || bytes.size() < kLongestPrefix) return {};
  const std::uint64_t flags = read_integer(bytes, 5, 1);
  std::size_t at = 6 + ((flags & 0x20U) != 0 ? 16 : 0) + ((flags & 0x10U) != 0 ? 4 : 0);
  const std::size_t size_bytes = std::size_t{1} << (flags & 3U);
  const std::uint64_t size = read_integer(bytes, at, size_bytes);
  at += size_bytes;
  bytes =
      bytes.substr(0, at + static_cast<std::size_t>(std::min<std::uint64_t>(size, bytes.size())));
  const std::size_t prefix = 4 + ((flags & 4U) != 0 ? 2 : 0);
  while (at + prefix <= bytes.size()) {
    const auto length = static_cast<std::size_t>(read_integer(bytes, at + 1, 2));
    const std::size_t data = at + prefix;
    if (data + length > bytes.size()) return {};
    if (read_integer(bytes, at, 1) == kLayout) return bytes.substr(data, length);
    at = data + length;
  }
  return {};
}

// The address of the header of a dataset's index, if it has one of this kind.
std::optional<std::uint64_t> find_index(Bytes& file, std::uint64_t table) {
  constexpr std::uint64_t kMost = 512;           // bytes of a header's first part
  constexpr std::uint64_t kChunked = 2;          // a layout's class
  constexpr std::uint64_t kExtensibleArray = 4;  // a chunk index's type
  const std::uint64_t behind = file.size() - std::min(file.size(), table);
  const std::string header = file.read(table, static_cast<std::size_t>(std::min(kMost, behind)));
  // Version, class, flags, dimensions, bytes of each, their sizes, type of index, 5 bytes of its
  // parameters, address.
  const std::string_view layout = find_layout(header);
  if (layout.size() < 5 || read_integer(layout, 1, 1) != kChunked) return std::nullopt;
  const auto sizes =
      static_cast<std::size_t>(read_integer(layout, 3, 1) * read_integer(layout, 4, 1));
  const std::size_t type = 5 + sizes;
  if (type + 6 + kAddress > layout.size()) return std::nullopt;
  if (read_integer(layout, type, 1) != kExtensibleArray) return std::nullopt;
  return read_integer(layout, type + 6, kAddress);
}

// How an index is made, as its header says.
struct Shape {
  std::uint64_t header = kNowhere;       // its address
  std::uint64_t index_block = kNowhere;  // its address
  std::size_t entries = 0;               // of the index block
  std::size_t smallest = 0;              // entries of the smallest data block
  std::size_t fewest = 0;                // data blocks of the first super block that is one
  std::size_t page = 0;                  // entries of a page
  std::size_t offset_bytes = 0;          // of a number of an entry
  std::size_t supers = 0;                // super blocks, with those that the index block replaces
};

std::optional<Shape> read_shape(Bytes& file, std::uint64_t address) {
  constexpr std::size_t kHeader = 12 + 7 * kAddress + kChecksum;
  const std::string bytes = file.read(address, kHeader);
  // Version 0, chunks without filters, whose entries are addresses.
  if (!bytes.starts_with(std::string_view("EAHD\0\0\x08", 7))) return std::nullopt;
  if (calc_checksum(std::string_view(bytes).substr(0, kHeader - kChecksum)) !=
      read_integer(bytes, kHeader - kChecksum, kChecksum)) {
    return std::nullopt;
  }
  Shape shape;
  shape.header = address;
  const std::size_t bits = read_integer(bytes, 7, 1);
  shape.entries = read_integer(bytes, 8, 1);
  shape.smallest = read_integer(bytes, 9, 1);
  shape.fewest = read_integer(bytes, 10, 1);
  const std::size_t page_bits = read_integer(bytes, 11, 1);
  if (!std::has_single_bit(shape.smallest) || !std::has_single_bit(shape.fewest) || bits > 40 ||
      page_bits > 20 || shape.smallest >> bits > 0) {
    return std::nullopt;
  }
  shape.page = std::size_t{1} << page_bits;
  shape.offset_bytes = (bits + 7) / 8;
  shape.supers = 1 + bits - static_cast<std::size_t>(std::countr_zero(shape.smallest));
  shape.index_block = read_integer(bytes, 12 + 6 * kAddress, kAddress);
  return shape;
}

// Data blocks of a super block, and entries of each.
std::size_t blocks_of(std::size_t super) { return std::size_t{1} << super / 2; }
std::size_t entries_of(const Shape& shape, std::size_t super) {
  return shape.smallest << (super + 1) / 2;
}

class Mender {
 public:
  Mender(Bytes& file, const Shape& shape, std::uint64_t alignment)
      : file_(file), shape_(shape), alignment_(alignment) {}

  std::size_t mend() {
    const std::size_t replaced = 2 * static_cast<std::size_t>(std::countr_zero(shape_.fewest));
    const std::size_t data_blocks = 2 * (shape_.fewest - 1);
    if (replaced > shape_.supers) return 0;
    const std::size_t addresses = shape_.entries + data_blocks + shape_.supers - replaced;
    const std::string block = mend_block(shape_.index_block, "EAIB", 0, addresses);
    if (block.empty()) return 0;
    std::size_t at = kPrefix + shape_.entries * kAddress;
    for (std::size_t super = 0; super < replaced; ++super) {
      for (std::size_t i = 0; i < blocks_of(super); ++i, at += kAddress) {
        mend_data_block(read_integer(block, at, kAddress), entries_of(shape_, super), {});
      }
    }
    for (std::size_t super = replaced; super < shape_.supers; ++super, at += kAddress) {
      mend_super_block(read_integer(block, at, kAddress), super);
    }
    return mended_;
  }

 private:
  static constexpr std::size_t kPrefix = 6 + kAddress;  // signature, version, client, header

  [[nodiscard]] bool can_be(std::uint64_t address) const {
    return address == kNowhere ||
           (address > 0 && address % alignment_ == 0 && address < file_.size());
  }

  // Bytes that end with addresses and a checksum.
  void mend_checksum(std::uint64_t address, std::string_view bytes, std::size_t addresses) {
    const std::size_t end = bytes.size() - kChecksum;
    const std::uint32_t right = calc_checksum(bytes.substr(0, end));
    if (read_integer(bytes, end, kChecksum) == right) return;
    for (std::size_t i = 1; i <= addresses; ++i) {
      if (!can_be(read_integer(bytes, end - i * kAddress, kAddress))) return;
    }
    std::array<char, kChecksum> checksum{};
    for (std::size_t i = 0; i < kChecksum; ++i) checksum[i] = static_cast<char>(right >> 8 * i);
    file_.write(address + end, {checksum.data(), kChecksum});
    ++mended_;
  }

  // A block of a prefix, `between` other bytes and addresses; empty if there is none.
  std::string mend_block(std::uint64_t address, std::string_view signature, std::size_t between,
                         std::size_t addresses) {
    if (address == kNowhere) return {};
    std::string bytes = file_.read(address, kPrefix + between + addresses * kAddress + kChecksum);
    if (!bytes.starts_with(signature) || read_integer(bytes, 4, 2) != 0 ||
        read_integer(bytes, 6, kAddress) != shape_.header) {
      return {};
    }
    mend_checksum(address, bytes, addresses);
    return bytes;
  }

  // `written` tells of each page of a data block whether it has been; other pages hold anything.
  void mend_data_block(std::uint64_t address, std::size_t entries,
                       const std::vector<bool>& written) {
    if (entries <= shape_.page) {
      mend_block(address, "EADB", shape_.offset_bytes, entries);
      return;
    }
    if (mend_block(address, "EADB", shape_.offset_bytes, 0).empty()) return;
    const std::size_t size = shape_.page * kAddress + kChecksum;
    std::uint64_t at = address + kPrefix + shape_.offset_bytes + kChecksum;
    for (const bool page : written) {
      const std::string bytes = page ? file_.read(at, size) : std::string();
      if (!bytes.empty()) mend_checksum(at, bytes, shape_.page);
      at += size;
    }
  }

  void mend_super_block(std::uint64_t address, std::size_t super) {
    const std::size_t blocks = blocks_of(super);
    const std::size_t entries = entries_of(shape_, super);
    const std::size_t pages = entries > shape_.page ? entries / shape_.page : 0;
    const std::size_t mark_bytes = blocks * ((pages + 7) / 8);  // a bit for each page
    const std::string block = mend_block(address, "EASB", shape_.offset_bytes + mark_bytes, blocks);
    if (block.empty()) return;
    const std::size_t marks = kPrefix + shape_.offset_bytes;
    for (std::size_t i = 0; i < blocks; ++i) {
      std::vector<bool> written(pages);
      for (std::size_t p = 0; p < pages; ++p) {
        const std::size_t bit = i * pages + p;
        written[p] = (read_integer(block, marks + bit / 8, 1) >> (7 - bit % 8) & 1U) != 0;
      }
      mend_data_block(read_integer(block, marks + mark_bytes + i * kAddress, kAddress), entries,
                      written);
    }
  }

  Bytes& file_;
  Shape shape_;
  std::uint64_t alignment_;
  std::size_t mended_ = 0;
};

}  // namespace

std::uint32_t calc_checksum(std::string_view bytes) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  std::uint32_t a = 0xdeadbeef + size;
  std::uint32_t b = a;
  std::uint32_t c = a;
  // Zeros at the end add nothing.
  const auto word = [&bytes](std::size_t at) {
    const std::size_t rest = at < bytes.size() ? bytes.size() - at : 0;
    return static_cast<std::uint32_t>(read_integer(bytes, at, std::min<std::size_t>(4, rest)));
  };
  const auto mix = [](std::uint32_t& x, std::uint32_t& y, std::uint32_t z, int turn) {
    x = (x - y) ^ std::rotl(y, turn);
    y += z;
  };
  const auto end = [](std::uint32_t& x, std::uint32_t y, int turn) {
    x = (x ^ y) - std::rotl(y, turn);
  };
  std::size_t at = 0;
  for (; bytes.size() - at > 12; at += 12) {
    a += word(at);
    b += word(at + 4);
    c += word(at + 8);
    mix(a, c, b, 4);
    mix(b, a, c, 6);
    mix(c, b, a, 8);
    mix(a, c, b, 16);
    mix(b, a, c, 19);
    mix(c, b, a, 4);
  }
  if (bytes.empty()) return c;
  a += word(at);
  b += word(at + 4);
  c += word(at + 8);
  end(c, b, 14);
  end(a, c, 11);
  end(b, a, 25);
  end(c, b, 16);
  end(a, c, 4);
  end(b, a, 14);
  end(c, b, 24);
  return c;
}

std::size_t mend_indices(const std::filesystem::path& path, std::span<const std::uint64_t> tables,
                         std::uint64_t alignment) {
  Bytes file(path);
  std::size_t mended = 0;
  for (const std::uint64_t table : tables) {
    const std::optional<std::uint64_t> index = find_index(file, table);
    const std::optional<Shape> shape = index ? read_shape(file, *index) : std::nullopt;
    if (shape) mended += Mender(file, *shape, alignment).mend();
  }
  return mended;
}

}  // namespace fem::hdf5
