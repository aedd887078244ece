// SPDX-License-Identifier: Apache-2.0
#include "core/store.h"

#include <map>
#include <set>

#include <doctest/doctest.h>

#include "base/error.h"

using namespace flagscale;

namespace {

const std::string kBase = "0123abcd" + std::string(32, '0');

/// A store in memory: path to contents.
class Memory final : public StoreFiles {
 public:
  explicit Memory(std::map<std::string, std::string> files) : files_(std::move(files)) {}

  std::vector<std::string> files(const std::string& folder) override {
    return names(folder, false);
  }
  std::vector<std::string> folders(const std::string& folder) override {
    return names(folder, true);
  }
  bool exists(const std::string& path) override {
    return files_.contains(path) || !names(path, false).empty() || !names(path, true).empty();
  }
  std::optional<Content> find(const std::string& path) override {
    const auto at = files_.find(path);
    if (at == files_.end()) return std::nullopt;
    return Content(std::string(at->second));
  }

 private:
  [[nodiscard]] std::vector<std::string> names(const std::string& folder, bool folders) const {
    const std::string prefix = folder.empty() ? "" : folder + "/";
    std::set<std::string> names;
    for (const auto& [path, text] : files_) {
      if (!path.starts_with(prefix)) continue;
      const std::string rest = path.substr(prefix.size());
      const std::size_t slash = rest.find('/');
      if ((slash != std::string::npos) == folders) names.insert(rest.substr(0, slash));
    }
    return {names.begin(), names.end()};
  }
  std::map<std::string, std::string> files_;
};

Store store_of(std::map<std::string, std::string> files,
               const std::optional<std::string>& folder = std::nullopt) {
  return {std::make_shared<Memory>(std::move(files)), folder};
}

std::string sidecar_text(const std::string& device, const std::string& base) {
  Sidecar sidecar;
  sidecar.device_type = device;
  sidecar.base = *git::Oid::parse(base);
  return format_sidecar(sidecar, "");
}

}  // namespace

TEST_CASE("paths in the store") {
  const StorePaths paths("hardwares");
  const DeviceType device = DeviceType::parse("A_X100");
  CHECK(paths.patch(device, "0123abcd") == "hardwares/A_X100/0123abcd/0123abcd.patch");
  CHECK(paths.sidecar(device, "0123abcd") == "hardwares/A_X100/0123abcd/0123abcd.json");
  CHECK(paths.vendor(device) == "hardwares/A_X100/vendor.json");
  CHECK(paths.combination("0123abcd", {device, DeviceType::parse("B_Y100")}) ==
        "hardwares/hetero/0123abcd/A_X100+B_Y100.json");
}

TEST_CASE("the store's folder") {
  CHECK(store_of({}).paths().folder() == "hardwares");
  CHECK(store_of({{"hardware/x", ""}}).paths().folder() == "hardware");
  CHECK(store_of({{"hardware/x", ""}, {"hardwares/x", ""}}).paths().folder() == "hardwares");
  CHECK(store_of({{"hardware/x", ""}}, "mine").paths().folder() == "mine");
  CHECK(parse_store_folder("./a/b//") == "a/b");
  for (const char* bad : {"", "/", "/abs", "..", "a/../b", "a//b", ".git", "a/.GIT/b", "./"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS((void)parse_store_folder(bad), Error);
  }
}

TEST_CASE("only names that are device types and bases count") {
  const DeviceType device = DeviceType::parse("A_X100");
  Store store = store_of({{"hardwares/A_X100/0123abcd/0123abcd.patch", "p"},
                          {"hardwares/A_X100/0123ABCD/0123ABCD.patch", "p"},
                          {"hardwares/A_X100/notes/notes.patch", "p"},
                          {"hardwares/A_X100/11111111/other.patch", "p"},
                          {"hardwares/A_X100/22222222/22222222.patch.encrypted", "p"},
                          {"hardwares/A_X100/33333333/33333333.patch.encrypted", "p"},
                          {"hardwares/A_X100/33333333/33333333.patch", "p"},
                          {"hardwares/README", ""},
                          {"hardwares/B_Y100", "a file"},
                          {"hardwares/schemas/x.json", ""}});
  CHECK(store.devices() == std::vector<DeviceType>{device});
  CHECK(store.bases(device) == std::vector<std::string>{"0123abcd", "22222222", "33333333"});
  CHECK(store.is_encrypted(device, "22222222"));
  CHECK_FALSE(store.is_encrypted(device, "33333333"));
  CHECK(store.find_patch(device, "0123abcd")->view() == "p");
  CHECK_FALSE(store.find_patch(device, "22222222"));
  CHECK_FALSE(store.find_sidecar(device, "0123abcd"));
}

TEST_CASE("a sidecar must be that of the patch beside it") {
  const DeviceType device = DeviceType::parse("A_X100");
  const std::string path = "hardwares/A_X100/0123abcd/0123abcd.json";
  CHECK(store_of({{path, sidecar_text("A_X100", kBase)}}).find_sidecar(device, "0123abcd"));
  for (const std::string& text :
       {sidecar_text("B_Y100", kBase), sidecar_text("A_X100", std::string(40, '1'))}) {
    Store store = store_of({{path, text}});
    CHECK_THROWS_WITH_AS((void)store.find_sidecar(device, "0123abcd"),
                         doctest::Contains("is the sidecar of another patch"), Error);
  }
}

TEST_CASE("combinations of files and of old mappings are read together") {
  const std::string text = format_combination(
      {*git::Oid::parse(kBase), {DeviceType::parse("A_X100"), DeviceType::parse("B_Y100")}});
  Store store = store_of({{"hardwares/hetero/0123abcd/any.json", text},
                          {"hardwares/hetero/0123abcd/README", "no JSON"},
                          {"hardwares/hetero/notes/a.json", "no combination"},
                          {"patch/hetero.txt", "# old\n0123: C_Z1 A_X100\n4567: C_Z1 A_X100\n"}});
  CHECK(store.combination_files() ==
        std::vector<std::string>{"hardwares/hetero/0123abcd/any.json", "patch/hetero.txt"});
  CHECK(store.combinations().size() == 3);
  const auto ours = store.combinations(*git::Oid::parse(kBase));
  REQUIRE(ours.size() == 2);
  CHECK(ours[0].base == kBase);
  CHECK(ours[0].line == 0);
  CHECK(ours[1].base == "0123");
  CHECK(ours[1].path == "patch/hetero.txt");
  CHECK(ours[1].line == 2);
}

TEST_CASE("a combination in the folder of another base is refused") {
  const std::string text = format_combination(
      {*git::Oid::parse(kBase), {DeviceType::parse("A_X100"), DeviceType::parse("B_Y100")}});
  const std::string path = "hardwares/hetero/11111111/any.json";
  Store store = store_of({{path, text}});
  CHECK_THROWS_WITH((void)store.combinations(), (path + ": its base is " + kBase).c_str());
}
