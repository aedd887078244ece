// SPDX-License-Identifier: Apache-2.0
#include "core/binary_patch.h"

#include <cstdint>
#include <string>

#include <doctest/doctest.h>
#include <zlib.h>

#include "base/error.h"

using namespace flagscale;

namespace {

std::string deflated(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  REQUIRE(compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                    reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()),
                    9) == Z_OK);
  out.resize(size);
  return out;
}

/// Base85 lines as git writes them.
std::string base85(std::string_view bytes) {
  static constexpr std::string_view kDigits =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
  std::string out;
  while (!bytes.empty()) {
    std::string_view line = bytes.substr(0, 52);
    bytes.remove_prefix(line.size());
    const std::size_t size = line.size();
    out += static_cast<char>(size <= 26 ? 'A' + size - 1 : 'a' + size - 27);
    while (!line.empty()) {
      std::uint64_t value = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        value = value << 8U | (i < line.size() ? static_cast<unsigned char>(line[i]) : 0U);
      }
      std::string group(5, '0');
      for (std::size_t i = 5; i > 0; --i, value /= 85) group[i - 1] = kDigits[value % 85];
      out += group;
      line.remove_prefix(line.size() < 4 ? line.size() : 4);
    }
    out += '\n';
  }
  return out;
}

BinaryHunk hunk_of(const std::string& lines, std::uint64_t size,
                   BinaryHunk::Method method = BinaryHunk::Method::literal) {
  BinaryHunk hunk;
  hunk.method = method;
  hunk.size = size;
  hunk.data = lines;
  hunk.line = 9;
  return hunk;
}

std::string refusal(const BinaryHunk& hunk, std::string_view before = {},
                    std::uint64_t max_size = kMaxBinarySize) {
  try {
    (void)apply_binary(hunk, before, max_size);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unable);
    return error.what();
  }
  return {};
}

std::string delta(std::initializer_list<int> bytes) {
  std::string out;
  for (const int byte : bytes) out += static_cast<char>(byte);
  return out;
}

}  // namespace

TEST_CASE("base85 as git writes it") {
  std::string out;
  CHECK(decode_base85("HcmV?d00001\n", out));
  CHECK(out == std::string("\x78\1\x03\0\0\0\0\1", 8));
  for (std::size_t size = 1; size < 120; ++size) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i * 37 + size);
    std::string decoded;
    CHECK(decode_base85(base85(bytes), decoded));
    CHECK(decoded == bytes);
  }
}

TEST_CASE("damaged base85 is noticed") {
  for (const char* const line : {"\n", "A\n", "A0000\n", "?00000\n", "E00000\n", "A0000000000\n",
                                 "D~~~~~\n", "D000 0\n", "D000\"0\n", "D00000\r\n", "D|NsC1\n"}) {
    std::string out;
    CAPTURE(line);
    CHECK_FALSE(decode_base85(line, out));
  }
  std::string out;
  CHECK(decode_base85("D|NsC0\n", out));
  CHECK(out == "\xff\xff\xff\xff");
}

TEST_CASE("literals") {
  const std::string bytes(100000, 'x');
  const std::string lines = base85(deflated(bytes));
  CHECK(apply_binary(hunk_of(lines, bytes.size()), "whatever") == bytes);
  CHECK(apply_binary(hunk_of("HcmV?d00001\n", 0), {}).empty());
  CHECK(refusal(hunk_of(lines, bytes.size() - 1)) == "corrupt data in the binary patch at line 9");
  CHECK(refusal(hunk_of(lines, bytes.size() + 1)) == "corrupt data in the binary patch at line 9");
  CHECK(refusal(hunk_of(lines, bytes.size()), {}, 99999) ==
        "too large a file in the binary patch at line 9");
  CHECK(refusal(hunk_of("", 0)) == "corrupt data in the binary patch at line 9");
  std::string cut = deflated(bytes);
  cut.pop_back();
  const std::string cut_lines = base85(cut);
  CHECK(refusal(hunk_of(cut_lines, bytes.size())) == "corrupt data in the binary patch at line 9");
}

TEST_CASE("an announced size alone takes no memory") {
  const std::string lines = base85(deflated("x"));
  CHECK(refusal(hunk_of(lines, kMaxBinarySize)) == "corrupt data in the binary patch at line 9");
  CHECK(refusal(hunk_of(lines, kMaxBinarySize + 1)) ==
        "too large a file in the binary patch at line 9");
  std::string out;
  // From nothing to 2^31 - 1 bytes, of which one is there.
  CHECK_FALSE(
      apply_delta(delta({0, 0xff, 0xff, 0xff, 0xff, 0x07, 1, 'x'}), "", kMaxBinarySize, out));
  CHECK(out.capacity() < 100000);
}

TEST_CASE("deltas") {
  const std::string before = "hello world";
  const auto apply = [&](const std::string& bytes, std::string& out) {
    out.clear();
    return apply_delta(bytes, before, kMaxBinarySize, out);
  };
  std::string out;
  // Copy 5 bytes from 6, insert "!", copy 5 from 0.
  CHECK(apply(delta({11, 11, 0x91, 6, 5, 1, '!', 0x90, 5}), out));
  CHECK(out == "world!hello");
  CHECK_FALSE(apply(delta({12, 11, 0x91, 6, 5, 1, '!', 0x90, 5}), out));
  CHECK_FALSE(apply(delta({11, 12, 0x91, 6, 5, 1, '!', 0x90, 5}), out));
  CHECK_FALSE(apply(delta({11, 10, 0x91, 6, 5, 1, '!', 0x90, 5}), out));
  CHECK_FALSE(apply(delta({11, 5, 0x91, 7, 5}), out));
  CHECK_FALSE(apply(delta({11, 5, 0x9f, 0xff, 0xff, 0xff, 0xff, 5}), out));
  CHECK_FALSE(apply(delta({11, 5, 0x91, 6}), out));
  CHECK_FALSE(apply(delta({11, 1, 0, 'x'}), out));
  CHECK_FALSE(apply(delta({11, 3, 3, 'x', 'y'}), out));
  CHECK_FALSE(apply(delta({11, 0}), out));
  CHECK_FALSE(
      apply(delta({0x8b, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1}), out));
  const std::string bytes = delta({11, 11, 0x91, 6, 5, 1, '!', 0x90, 5});
  const std::string lines = base85(deflated(bytes));
  const BinaryHunk hunk = hunk_of(lines, bytes.size(), BinaryHunk::Method::delta);
  CHECK(apply_binary(hunk, before) == "world!hello");
  CHECK(refusal(hunk, "other") == "corrupt or misplaced delta in the binary patch at line 9");
  CHECK(refusal(hunk, before, 10) == "corrupt or misplaced delta in the binary patch at line 9");
}
