// SPDX-License-Identifier: Apache-2.0
#include "git/pack_reader.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/parallel.h"
#include "support/made_pack.h"

using namespace flagscale;
using git::Oid;
using test::exactly;
using test::made_delta;
using test::made_id;
using test::MadePack;

namespace {

constexpr unsigned kBlob = 3;

std::unique_ptr<git::PackReader> reader_of(std::string_view index, std::string_view pack) {
  std::vector<std::unique_ptr<git::Pack>> packs;
  if (auto made = git::Pack::parse(exactly(index), exactly(pack))) packs.push_back(std::move(made));
  return std::make_unique<git::PackReader>(std::make_shared<const git::Packs>(std::move(packs)));
}

std::unique_ptr<git::PackReader> reader_of(const MadePack& made) {
  return reader_of(made.index(), made.pack());
}

std::optional<std::string> read(git::PackReader& reader, const Oid& id) {
  const auto object = reader.read(id);
  if (!object) return std::nullopt;
  return std::string(git::type_name(object->type)) + " " + std::string(object->bytes.view());
}

std::optional<std::string> read(const MadePack& made, const Oid& id) {
  return read(*reader_of(made), id);
}

/// One of each kind: 1 is whole, 2 and 3 are deltas, 4 is empty, 5 is a commit.
MadePack sample() {
  MadePack made;
  const auto first = made.add_whole(made_id(1), kBlob, "one\ntwo\nthree\n");
  made.add_offset_delta(made_id(2), first, made_delta(14, 8, "drei\n"));
  made.add_ref_delta(made_id(3), made_id(2), made_delta(13, 4, "zwei\n"));
  made.add_whole(made_id(4), kBlob, "");
  made.add_whole(made_id(5), 1, "tree 0\n");
  return made;
}

/// Reads everything there may be, once and again.
void read_all(git::PackReader& reader) {
  for (int round = 0; round < 2; ++round) {
    for (unsigned number = 1; number <= 5; ++number) {
      if (const auto found = read(reader, made_id(number))) CHECK(found->size() < 40);
    }
  }
}

}  // namespace

TEST_CASE("objects of each kind are read out of a pack") {
  const auto reader = reader_of(sample());
  for (int round = 0; round < 2; ++round) {
    CHECK(read(*reader, made_id(3)) == "blob one\nzwei\n");
    CHECK(read(*reader, made_id(2)) == "blob one\ntwo\ndrei\n");
    CHECK(read(*reader, made_id(1)) == "blob one\ntwo\nthree\n");
    CHECK(read(*reader, made_id(4)) == "blob ");
    CHECK(read(*reader, made_id(5)) == "commit tree 0\n");
    CHECK_FALSE(read(*reader, made_id(6)));
    CHECK_FALSE(read(*reader, Oid()));
  }
  CHECK(reader->has(made_id(2)));
  CHECK_FALSE(reader->has(made_id(6)));
}

TEST_CASE("offsets of 64 bits") {
  const MadePack made = sample();
  const auto reader = reader_of(made.index(13), made.pack());
  CHECK(read(*reader, made_id(3)) == "blob one\nzwei\n");
  MadePack outside = sample();
  outside.point(made_id(6), std::uint64_t{1} << 40U);
  outside.point(made_id(7), ~std::uint64_t{0});
  CHECK_FALSE(read(outside, made_id(6)));
  CHECK_FALSE(read(outside, made_id(7)));
  CHECK(read(outside, made_id(1)));
}

TEST_CASE("an index goes with its pack alone") {
  const MadePack made = sample();
  std::string other = made.pack();
  other.back() = '?';
  CHECK_FALSE(reader_of(made.index(), other)->has(made_id(1)));
  other = made.pack();
  other[11] = 4;
  CHECK_FALSE(reader_of(made.index(), other)->has(made_id(1)));
  other = made.pack();
  other[7] = 4;
  CHECK_FALSE(reader_of(made.index(), other)->has(made_id(1)));
}

TEST_CASE("entries that make no sense are not found") {
  MadePack made = sample();
  const std::string packed = test::deflated("x");
  made.add(made_id(10), test::entry_header(0, 1) + packed);
  made.add(made_id(11), test::entry_header(5, 1) + packed);
  made.add(made_id(12), test::entry_header(kBlob, 2) + packed);
  made.add(made_id(13), test::entry_header(kBlob, 0) + packed);
  made.add(made_id(14), test::entry_header(kBlob, std::uint64_t{1} << 36U) + packed);
  made.add(made_id(15), std::string(12, '\xff'));
  made.add(made_id(16), test::entry_header(6, 4) + std::string(1, '\0') + packed);
  made.add(made_id(17), test::entry_header(6, 4) + test::entry_distance(100000) + packed);
  made.add(made_id(18), test::entry_header(6, 4) + std::string(12, '\xff') + packed);
  made.add_ref_delta(made_id(19), made_id(99), made_delta(1, 0, "x"));
  made.point(made_id(20), 0);
  made.point(made_id(21), 13);
  made.point(made_id(22), made.pack().size() - 20);
  const auto reader = reader_of(made);
  for (unsigned number = 10; number <= 22; ++number) {
    CAPTURE(number);
    CHECK_FALSE(read(*reader, made_id(number)));
  }
  CHECK(read(*reader, made_id(3)));
}

TEST_CASE("deltas that make no sense are not applied") {
  MadePack made;
  const auto base = made.add_whole(made_id(1), kBlob, "0123456789");
  using namespace std::string_literals;
  const std::vector<std::string> bad = {made_delta(9, 5, "x"),
                                        made_delta(11, 5, "x"),
                                        made_delta(10, 11, ""),
                                        "\x0a\x05\x04"s
                                        "1234",
                                        "\x0a\x03\x04"s
                                        "1234",
                                        "\x0a\x04\x00"s
                                        "1234",
                                        "\x0a\x04\x05"s
                                        "1234",
                                        "\x0a\x0a\xb0\x0a"s,
                                        "\x0a\x02\x91\x09\x02"s,
                                        "\x0a"s,
                                        ""s,
                                        "\x0a\xff\xff\xff\xff\x7f\x01x"s,
                                        "\xff\xff\xff\xff\xff"s,
                                        "\x0a\x01\xff\xff\xff\xff"s};
  for (unsigned i = 0; i < bad.size(); ++i) made.add_offset_delta(made_id(10 + i), base, bad[i]);
  made.add_offset_delta(made_id(2), base, "\x0a\x02\x91\x08\x02"s);
  const auto reader = reader_of(made);
  for (unsigned i = 0; i < bad.size(); ++i) {
    CAPTURE(i);
    CHECK_FALSE(read(*reader, made_id(10 + i)));
  }
  CHECK(read(*reader, made_id(2)) == "blob 89");
}

TEST_CASE("deltas that lead in a circle are given up") {
  MadePack made;
  made.add_ref_delta(made_id(1), made_id(2), made_delta(4, 3, "a"));
  made.add_ref_delta(made_id(2), made_id(1), made_delta(4, 3, "b"));
  made.add_ref_delta(made_id(3), made_id(3), made_delta(4, 3, "c"));
  for (unsigned number = 1; number <= 3; ++number) CHECK_FALSE(read(made, made_id(number)));
}

TEST_CASE("long chains of deltas are followed as far as git makes them") {
  static constexpr unsigned kLength = 5000;
  MadePack made;
  std::string bytes = "start ";
  auto last = made.add_whole(made_id(0), kBlob, bytes);
  for (unsigned number = 1; number <= kLength; ++number) {
    last =
        made.add_offset_delta(made_id(number), last, made_delta(bytes.size(), bytes.size(), "x"));
    bytes += 'x';
  }
  CHECK_FALSE(read(made, made_id(kLength)));
  const auto reader = reader_of(made);
  CHECK(read(*reader, made_id(4096)) == "blob " + bytes.substr(0, 6 + 4096));
  CHECK(read(*reader, made_id(4095)) == "blob " + bytes.substr(0, 6 + 4095));
  // From here on it is enough to go back to what is still known.
  CHECK(read(*reader, made_id(kLength)) == "blob " + bytes);
}

TEST_CASE("large bases are not kept, and what is kept has a bound") {
  MadePack made;
  // Both do not compress well.
  std::string small;
  std::string large;
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < (std::size_t{3} << 20U); ++i) {
    state = state * 1664525U + 1013904223U;
    large += static_cast<char>(state >> 24U);
    if (i < 60000) small += large.back();
  }
  const auto base = made.add_whole(made_id(0), kBlob, large);
  made.add_offset_delta(made_id(1), base, made_delta(large.size(), 10, "!"));
  for (unsigned number = 2; number < 400; ++number) {
    const auto whole = made.add_whole(made_id(number), kBlob, small);
    made.add_offset_delta(made_id(1000 + number), whole, made_delta(small.size(), 5, "+"));
  }
  const auto reader = reader_of(made);
  for (int round = 0; round < 2; ++round) {
    CHECK(read(*reader, made_id(1)) == "blob " + large.substr(0, 10) + "!");
    for (unsigned number = 2; number < 400; ++number) {
      REQUIRE(read(*reader, made_id(1000 + number)) == "blob " + small.substr(0, 5) + "+");
    }
  }
}

TEST_CASE("threads read the same objects at once") {
  static constexpr unsigned kLength = 300;
  MadePack made;
  std::string bytes(1000, 'a');
  auto last = made.add_whole(made_id(0), kBlob, bytes);
  for (unsigned number = 1; number <= kLength; ++number) {
    last =
        made.add_offset_delta(made_id(number), last, made_delta(bytes.size(), bytes.size(), "x"));
    bytes += 'x';
  }
  std::vector<std::unique_ptr<git::Pack>> packs;
  packs.push_back(git::Pack::parse(exactly(made.index()), exactly(made.pack())));
  const auto shared = std::make_shared<const git::Packs>(std::move(packs));
  parallel_for(
      std::size_t{20} * kLength, [&] { return std::make_unique<git::PackReader>(shared); },
      [&](auto& reader, std::size_t i) {
        const auto number = static_cast<unsigned>(i * 7 / 3 % (kLength + 1));
        if (read(*reader, made_id(number)) != "blob " + bytes.substr(0, 1000 + number)) {
          throw Error(ErrorKind::bug, "wrong bytes");
        }
      });
}

TEST_CASE("a cut index or pack is read as far as it makes sense") {
  const MadePack made = sample();
  const std::string index = made.index();
  const std::string pack = made.pack();
  for (std::size_t cut = 0; cut < index.size(); ++cut) {
    CHECK_FALSE(reader_of(index.substr(0, cut), pack)->has(made_id(1)));
  }
  for (std::size_t cut = 0; cut < pack.size(); ++cut) {
    CHECK_FALSE(reader_of(index, pack.substr(0, cut))->has(made_id(1)));
  }
  // The same with a checksum that pretends that nothing is missing.
  for (std::size_t cut = 0; cut + 20 < pack.size(); ++cut) {
    read_all(*reader_of(index, pack.substr(0, cut) + std::string(test::kMadeChecksum)));
  }
}

TEST_CASE("no changed byte does harm") {
  const MadePack made = sample();
  const std::string index = made.index(40);
  const std::string pack = made.pack();
  for (const unsigned mask : {0x01U, 0x80U, 0xffU, 0x10U}) {
    std::string changed = index;
    for (char& byte : changed) {
      const char right = byte;
      byte = static_cast<char>(static_cast<unsigned char>(byte) ^ mask);
      read_all(*reader_of(changed, pack));
      byte = right;
    }
    changed = pack;
    for (char& byte : changed) {
      const char right = byte;
      byte = static_cast<char>(static_cast<unsigned char>(byte) ^ mask);
      read_all(*reader_of(index, changed));
      byte = right;
    }
  }
}
