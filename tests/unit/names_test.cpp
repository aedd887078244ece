// SPDX-License-Identifier: Apache-2.0
#include "base/names.h"

#include <doctest/doctest.h>

using namespace flagscale;

TEST_CASE("the closest names come first") {
  CHECK(closest_names("A_X20", {"B_Y100", "A_X100", "A_X200"}, 2) ==
        std::vector<std::string>{"A_X200", "A_X100"});
  CHECK(closest_names("x", {}, 5).empty());
}

TEST_CASE("what somebody most likely meant") {
  const std::vector<std::string> options = {"--device-type", "--base-commit-id", "--onto", "--dir"};
  CHECK(find_likely_name("--dri", options) == "--dir");
  CHECK(find_likely_name("--device_type", options) == "--device-type");
  CHECK(find_likely_name("--DEVICE-TYPE", options) == "--device-type");
  // Letters left out, or too many.
  CHECK(find_likely_name("--devtype", options) == "--device-type");
  CHECK(find_likely_name("--commit-id", options) == "--base-commit-id");
  CHECK(find_likely_name("--the-device-type", options) == "--device-type");
  CHECK_FALSE(find_likely_name("--frobnicate", options));
  CHECK_FALSE(find_likely_name("--id", {"--base-commit-id"}));
  CHECK_FALSE(find_likely_name("", options));
  CHECK_FALSE(find_likely_name("--x", {}));
}
