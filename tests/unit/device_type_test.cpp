// SPDX-License-Identifier: Apache-2.0
#include "core/device_type.h"

#include <doctest/doctest.h>

#include "base/error.h"

using namespace flagscale;

TEST_CASE("device types are letters and digits around underscores") {
  for (const char* good : {"A_X100", "a_b", "0_0", "Vendor_Chip_v2", "A_B_C_D"}) {
    CAPTURE(good);
    CHECK(DeviceType::find(good).has_value());
  }
  for (const char* bad : {"", "A", "_", "A_", "_A", "A__B", "A-X100", "A_X 100", "A_X/1", "A_.",
                          "A_\xc3\xa9", "A_X\n", "..", "hetero"}) {
    CAPTURE(bad);
    CHECK_FALSE(DeviceType::find(bad).has_value());
  }
  CHECK(DeviceType::find("A_" + std::string(98, 'x')).has_value());
  CHECK_FALSE(DeviceType::find("A_" + std::string(99, 'x')).has_value());
}

TEST_CASE("the vendor is what stands before the first underscore") {
  const DeviceType device = DeviceType::parse("Ven_Chip_v2");
  CHECK(device.text() == "Ven_Chip_v2");
  CHECK(device.vendor() == "Ven");
  CHECK(device.chip() == "Chip_v2");
}

TEST_CASE("a wrong device type is named together with the rule") {
  try {
    (void)DeviceType::parse("A X\x1b");
    FAIL("accepted");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unable);
    CHECK(std::string(error.what()) == "invalid device type 'A X\\033'");
    CHECK(error.hints().size() == 1);
  }
}

TEST_CASE("names that differ in case only") {
  CHECK(differ_in_case_only("A_X100", "a_x100"));
  CHECK_FALSE(differ_in_case_only("A_X100", "A_X100"));
  CHECK_FALSE(differ_in_case_only("A_X100", "A_X10"));
  CHECK_FALSE(differ_in_case_only("A_[", "A_{"));
}

TEST_CASE("a base8 is eight lower-case digits") {
  CHECK(is_base8("0123abcd"));
  for (const char* bad : {"", "0123abc", "0123abcde", "0123ABCD", "0123abcg", "0123abc/"}) {
    CHECK_FALSE(is_base8(bad));
  }
}
