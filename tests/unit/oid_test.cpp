// SPDX-License-Identifier: Apache-2.0
#include "git/oid.h"

#include <unordered_set>

#include <doctest/doctest.h>

using flagscale::git::is_hex;
using flagscale::git::Oid;

namespace {

constexpr std::string_view kHex = "0123456789abcdef0123456789abcdef01234567";

}  // namespace

TEST_CASE("an id survives being written and read") {
  const auto id = Oid::parse(kHex);
  REQUIRE(id.has_value());
  CHECK(id->hex() == kHex);
  CHECK(id->hex8() == "01234567");
  CHECK(Oid::from_raw(id->raw()) == *id);
  CHECK(id->raw_view().size() == Oid::kRawSize);
  CHECK(id->raw_view().substr(0, 3) == "\x01\x23\x45");
  CHECK(Oid::parse("0123456789ABCDEF0123456789ABCDEF01234567") == id);
}

TEST_CASE("only 40 hex digits are an id") {
  for (const std::string& bad :
       {std::string(), std::string("0123"), std::string(39, 'a'), std::string(41, 'a'),
        std::string(64, 'a'), std::string(40, 'g'), " " + std::string(39, 'a')}) {
    CAPTURE(bad);
    CHECK_FALSE(Oid::parse(bad).has_value());
  }
}

TEST_CASE("the null id is what a new one is") {
  CHECK(Oid().is_null());
  CHECK(Oid().hex() == std::string(40, '0'));
  CHECK_FALSE(Oid::parse(kHex)->is_null());
}

TEST_CASE("ids are ordered by their bytes and can be keys") {
  const Oid low = *Oid::parse(std::string(40, '1'));
  const Oid high = *Oid::parse(std::string(40, 'f'));
  CHECK(low < high);
  CHECK(std::unordered_set<Oid>{low, high, low}.size() == 2);
}

TEST_CASE("hex digits are told from other text") {
  CHECK(is_hex("0"));
  CHECK(is_hex("DEADbeef"));
  CHECK_FALSE(is_hex(""));
  CHECK_FALSE(is_hex("0x1"));
  CHECK_FALSE(is_hex("main"));
}
