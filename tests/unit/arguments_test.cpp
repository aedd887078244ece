// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.h"

#include <doctest/doctest.h>

#include "base/error.h"

using namespace flagscale;
using cli::Arguments;

namespace {

using Words = std::vector<std::string>;

const cli::CommandSpec kCommand{"test",
                                "tests",
                                {"test"},
                                true,
                                {{"device-type", 'd', "<device>", true, ""},
                                 {"dry-run", 'n', "", false, ""},
                                 {"message", 'm', "<text>", false, ""},
                                 {"quiet", 'q', "", false, ""}}};

std::string refusal(const Words& words) {
  try {
    const Arguments arguments(kCommand, words);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("options are read in all of git's forms") {
  for (const Words& words :
       {Words{"--message", "text"}, Words{"--message=text"}, Words{"-m", "text"}, Words{"-mtext"},
        Words{"--mes", "text"}, Words{"-nqm", "text"}, Words{"-nmtext"},
        Words{"-m", "first", "--message=text"}}) {
    CHECK(Arguments(kCommand, words).find("message") == "text");
  }
  const Arguments both(kCommand, {"-nq"});
  CHECK(both.has("dry-run"));
  CHECK(both.has("quiet"));
  CHECK_FALSE(both.has("message"));
  CHECK_FALSE(both.find("message"));
}

TEST_CASE("values may be anything") {
  for (const std::string& value :
       {std::string(), std::string("-q"), std::string("--"), std::string("a,b"), std::string("a=b"),
        std::string("a\nb"), std::string(" \xff ")}) {
    CAPTURE(value);
    CHECK(Arguments(kCommand, {"-m", value}).find("message") == value);
    CHECK(Arguments(kCommand, {"--message=" + value}).find("message") == value);
    CHECK_FALSE(Arguments(kCommand, {"-m", value}).has("quiet"));
  }
}

TEST_CASE("an option for many takes all words up to the next option") {
  const Arguments arguments(kCommand, {"-d", "A", "B", "-q", "word", "--device-type=C", "D", "-n"});
  CHECK(arguments.all("device-type") == Words{"A", "B", "C", "D"});
  CHECK(arguments.words() == Words{"word"});
  CHECK(Arguments(kCommand, {"-d", "A", "--", "B"}).words() == Words{"B"});
}

TEST_CASE("after -- nothing is an option") {
  const Arguments arguments(kCommand, {"-q", "--", "-n", "--message", "--"});
  CHECK(arguments.words() == Words{"-n", "--message", "--"});
  CHECK_FALSE(arguments.has("dry-run"));
  CHECK(Arguments(kCommand, {"-"}).words() == Words{"-"});
}

TEST_CASE("what is wrong is named") {
  CHECK(refusal({"--nope"}) == "unknown option '--nope'");
  CHECK(refusal({"--nope=x"}) == "unknown option '--nope'");
  CHECK(refusal({"-x"}) == "unknown option '-x'");
  CHECK(refusal({"-qx"}) == "unknown option '-x'");
  CHECK(refusal({"--d"}) == "ambiguous option: --d (could be --device-type or --dry-run)");
  CHECK(refusal({"--message"}) == "option '--message' needs a value");
  CHECK(refusal({"-qm"}) == "option '--message' needs a value");
  CHECK(refusal({"--quiet=yes"}) == "option '--quiet' takes no value");
  CHECK(refusal({"--\x1b"}) == "unknown option '--\\033'");
  cli::CommandSpec strict = kCommand;
  strict.takes_words = false;
  CHECK_THROWS_WITH(Arguments(strict, {"word"}), "unexpected argument 'word'");
  CHECK_THROWS_WITH(Arguments(strict, {"--", "-q"}), "unexpected argument '-q'");
}
