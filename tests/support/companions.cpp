// SPDX-License-Identifier: Apache-2.0
#include "support/companions.h"

#include <doctest/doctest.h>

#include "support/sandbox.h"

namespace flagscale::test {

Companions::Companions() {
  patch(repo, patch_args());
  patch(repo, {"patch", "--device-type", "A_X100", "B_Y100", "--base-commit-id", base,
               "--current-commit-id", current});
}

std::string Companions::combination(const std::string& devices) const {
  return "hardwares/hetero/" + base8(base) + "/" + devices + ".json";
}

void Companions::publish(const std::string& device) {
  patch(repo, patch_args(device) + Args{"--onto", repo.rev("HEAD")});
}

void Companions::commit_text(const std::string& path, std::string_view text) {
  repo.write(path, text);
  repo.commit("write " + path);
}

void check_says(const Outcome& outcome, int status, const std::vector<std::string>& texts) {
  CHECK_MESSAGE(outcome.status == status, describe(outcome));
  for (const std::string& text : texts) CHECK_MESSAGE(has_text(outcome.err, text), outcome.err);
}

std::string schema_complaints(const std::string& schema, std::string_view text) {
  static constexpr int kNoValidator = 77;
  for (const char* python : {"python3", "/usr/bin/python3"}) {
    const Outcome outcome =
        run_command({python, FLAGSCALE_SOURCE_DIR "/tests/support/validate_json.py",
                     std::string(FLAGSCALE_SOURCE_DIR "/") + schema},
                    home_folder(), {{"PYTHONDONTWRITEBYTECODE", "1"}}, text);
    if (outcome.ok()) return "";
    if (outcome.status == 1) return schema + ": " + outcome.out + outcome.err + std::string(text);
    if (outcome.status != kNoValidator && outcome.status != 127) return describe(outcome);
  }
  MESSAGE("not validated: there is no python3-jsonschema");
  return "";
}

}  // namespace flagscale::test
