// The index of chunks of a table that grows, in the format of HDF5 1.10 ("extensible array", file
// format specification 3.0, section III.H). HDF5 refuses a block of it whose checksum is not that
// of its bytes. A writer killed in the middle of writing a block leaves one: half of it is as
// before, half as it was to be. Where chunks had stood before, both halves have them; only the
// checksum is wrong, and is made anew here.
//
// Nothing else that a killed writer leaves needs this: blocks of up to 512 bytes lie within pages,
// and no page is written in half.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace fem::hdf5 {

/// The checksum of a block: Jenkins's lookup3 ("hashlittle", public domain, 2006) with seed 0.
[[nodiscard]] std::uint32_t calc_checksum(std::string_view bytes);

/// Writes the right checksum behind each block of an index that has a wrong one, if all addresses
/// in the block are ones that chunks or blocks can have: multiples of `alignment` within the file.
/// For a file whose writer was killed only: of other damage, addresses may be wrong and yet
/// possible. `tables` are addresses of the headers of datasets; those without such an index are
/// passed over. Returns how many blocks were mended. HDF5 must hold nothing of the indices.
/// FileError if the file cannot be read or written.
std::size_t mend_indices(const std::filesystem::path& path, std::span<const std::uint64_t> tables,
                         std::uint64_t alignment);

}  // namespace fem::hdf5
