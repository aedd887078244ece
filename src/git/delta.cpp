// SPDX-License-Identifier: Apache-2.0
#include "git/delta.h"

namespace flagscale::git {
namespace {

/// Seven bits a byte, the lowest first.
bool take_size(std::string_view& delta, std::uint64_t& size) {
  size = 0;
  for (unsigned shift = 0; !delta.empty() && shift < 63; shift += 7) {
    const auto byte = static_cast<unsigned char>(delta.front());
    delta.remove_prefix(1);
    size |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if ((byte & 0x80U) == 0) return true;
  }
  return false;
}

/// The operands of a copy: the bits of `flags` say which bytes of the value are there.
bool take_operand(std::string_view& delta, unsigned flags, unsigned bytes, std::size_t& value) {
  value = 0;
  for (unsigned i = 0; i < bytes; ++i) {
    if ((flags >> i & 1U) == 0) continue;
    if (delta.empty()) return false;
    value |= static_cast<std::size_t>(static_cast<unsigned char>(delta.front())) << (8 * i);
    delta.remove_prefix(1);
  }
  return true;
}

}  // namespace

bool take_delta_sizes(std::string_view& delta, DeltaSizes& sizes) {
  return take_size(delta, sizes.before) && take_size(delta, sizes.after);
}

bool take_delta_piece(std::string_view& commands, std::string_view before,
                      std::string_view& piece) {
  if (commands.empty()) return false;
  const auto command = static_cast<unsigned char>(commands.front());
  commands.remove_prefix(1);
  if ((command & 0x80U) == 0) {
    // A command of zero is reserved.
    if (command == 0 || command > commands.size()) return false;
    piece = commands.substr(0, command);
    commands.remove_prefix(command);
    return true;
  }
  std::size_t from = 0;
  std::size_t count = 0;
  if (!take_operand(commands, command, 4, from) || !take_operand(commands, command >> 4U, 3, count))
    return false;
  if (count == 0) count = 0x10000;
  if (from > before.size() || count > before.size() - from) return false;
  piece = before.substr(from, count);
  return true;
}

}  // namespace flagscale::git
