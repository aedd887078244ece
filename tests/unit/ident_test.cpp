// SPDX-License-Identifier: Apache-2.0
#include "core/ident.h"

#include <doctest/doctest.h>

using namespace flagscale;

TEST_CASE("names and addresses are cleaned as git cleans them") {
  CHECK(clean_ident("A U Thor") == "A U Thor");
  CHECK(clean_ident(" ., A. U.\t<Thor>; \n") == "A. U.\tThor");
  CHECK(clean_ident("a\nb<c>d") == "abcd");
  CHECK(clean_ident("caf\xe9") == "caf\xe9");
  CHECK(clean_ident("").empty());
  CHECK(clean_ident(" .<>").empty());
}

TEST_CASE("a name needs something that is not cleaned away") {
  CHECK(has_ident_text(".a."));
  CHECK(has_ident_text("\xff"));
  CHECK_FALSE(has_ident_text(""));
  CHECK_FALSE(has_ident_text(" .,:;<>\"\\'\x01\x1f"));
}
