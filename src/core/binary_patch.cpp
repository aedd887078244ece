// SPDX-License-Identifier: Apache-2.0
#include "core/binary_patch.h"

#include <algorithm>
#include <array>
#include <limits>

#include <zlib.h>

#include "base/bytes.h"
#include "base/error.h"
#include "git/delta.h"

namespace flagscale {
namespace {

constexpr std::uint8_t kNoDigit = 0xff;

/// The value of each base85 digit, or kNoDigit.
constexpr std::array<std::uint8_t, 256> make_base85_values() {
  constexpr std::string_view kDigits =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  std::uint8_t value = 0;
  for (const char digit : kDigits) values[static_cast<unsigned char>(digit)] = value++;
  return values;
}
constexpr auto kBase85Values = make_base85_values();

/// Decodes five digits to four bytes, the first the highest.
bool decode_group(std::string_view digits, std::uint32_t& value) {
  std::uint64_t sum = 0;
  for (const char digit : digits) {
    const std::uint8_t part = kBase85Values[static_cast<unsigned char>(digit)];
    if (part == kNoDigit) return false;
    sum = sum * 85 + part;
  }
  value = static_cast<std::uint32_t>(sum);
  return sum <= std::numeric_limits<std::uint32_t>::max();
}

/// The number of bytes that a line's first letter announces, or 0.
std::size_t line_length(char letter) {
  if (letter >= 'A' && letter <= 'Z') return static_cast<std::size_t>(letter - 'A') + 1;
  if (letter >= 'a' && letter <= 'z') return static_cast<std::size_t>(letter - 'a') + 27;
  return 0;
}

bool decode_line(std::string_view line, std::string& out) {
  if (line.empty() || (line.size() - 1) % 5 != 0) return false;
  std::size_t left = line_length(line.front());
  const std::size_t most = (line.size() - 1) / 5 * 4;
  // Only the last group may be partly filled.
  if (left == 0 || left > most || left + 4 <= most) return false;
  for (line.remove_prefix(1); !line.empty(); line.remove_prefix(5)) {
    std::uint32_t value = 0;
    if (!decode_group(line.substr(0, 5), value)) return false;
    const std::array<char, 4> bytes = {
        static_cast<char>(value >> 24U), static_cast<char>(value >> 16U & 0xffU),
        static_cast<char>(value >> 8U & 0xffU), static_cast<char>(value & 0xffU)};
    const std::size_t count = std::min<std::size_t>(left, 4);
    out.append(bytes.data(), count);
    left -= count;
  }
  return true;
}

[[noreturn]] void fail(const BinaryHunk& hunk, const char* what) {
  throw_unable(std::string(what) + " in the binary patch at line " + std::to_string(hunk.line));
}

}  // namespace

bool decode_base85(std::string_view lines, std::string& out) {
  out.reserve(out.size() + lines.size() / 5 * 4);
  while (!lines.empty()) {
    if (!decode_line(without_lf(take_line(lines)), out)) return false;
  }
  return true;
}

bool inflate_exactly(std::string_view data, std::uint64_t size, std::string& out) {
  // deflate cannot shrink anything to less than a 1032nd.
  static constexpr std::uint64_t kMaxRatio = 1032;
  static constexpr std::size_t kMaxChunk = std::size_t{1} << 30U;
  if (data.size() > kMaxChunk || size / kMaxRatio > data.size()) return false;
  out.resize(static_cast<std::size_t>(size));
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return false;
  std::string input(data);
  Bytef none = 0;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  std::size_t done = 0;
  int status = Z_OK;
  do {
    const std::size_t chunk = std::min(out.size() - done, kMaxChunk);
    stream.next_out = chunk == 0 ? &none : reinterpret_cast<Bytef*>(out.data() + done);
    stream.avail_out = static_cast<uInt>(chunk);
    status = inflate(&stream, chunk == out.size() - done ? Z_FINISH : Z_NO_FLUSH);
    done += chunk - stream.avail_out;
  } while (status == Z_OK && done < out.size());
  inflateEnd(&stream);
  return status == Z_STREAM_END && done == out.size();
}

bool apply_delta(std::string_view delta, std::string_view before, std::uint64_t max_size,
                 std::string& out) {
  git::DeltaSizes sizes;
  if (delta.size() < 4 || !git::take_delta_sizes(delta, sizes) || sizes.before != before.size() ||
      sizes.after > max_size) {
    return false;
  }
  out.reserve(
      static_cast<std::size_t>(std::min<std::uint64_t>(sizes.after, before.size() * 2 + 4096)));
  for (std::string_view piece; !delta.empty(); out.append(piece)) {
    if (!git::take_delta_piece(delta, before, piece) || piece.size() > sizes.after - out.size()) {
      return false;
    }
  }
  return out.size() == sizes.after;
}

std::string unpack_binary(const BinaryHunk& hunk, std::uint64_t max_size) {
  if (hunk.size > max_size) fail(hunk, "too large a file");
  std::string packed;
  std::string data;
  if (!decode_base85(hunk.data, packed) || !inflate_exactly(packed, hunk.size, data)) {
    fail(hunk, "corrupt data");
  }
  return data;
}

std::string apply_binary(const BinaryHunk& hunk, std::string_view before, std::uint64_t max_size) {
  std::string data = unpack_binary(hunk, max_size);
  if (hunk.method == BinaryHunk::Method::literal) return data;
  std::string after;
  if (!apply_delta(data, before, max_size, after)) fail(hunk, "corrupt or misplaced delta");
  return after;
}

}  // namespace flagscale
