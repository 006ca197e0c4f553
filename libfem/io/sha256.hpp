// SHA-256 (FIPS 180-4), to say which case a results file belongs to.
#pragma once

#include <string>
#include <string_view>

namespace fem {

/// The digest of the bytes, 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);

}  // namespace fem
