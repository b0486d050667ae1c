// SPDX-License-Identifier: MIT
// Checksums of ZIP archives, so that a changed byte is not found by its checksum alone.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cupyxx::fuzz {

/// A mutation: sets the checksums in an archive's directory, as far as it has one, to those of the
/// members. Returns `size`.
std::size_t repair_checksums(std::uint8_t* data, std::size_t size, std::size_t room);

}  // namespace cupyxx::fuzz
