// SPDX-License-Identifier: Apache-2.0
//
// Packs: the input is first taken for an index and for a pack, then for a number of objects, where
// each begins (two bytes), and the entries of a pack.
#include <memory>
#include <string>
#include <vector>

#include "fuzz/target.h"
#include "git/pack_reader.h"
#include "support/made_pack.h"

namespace {

using namespace flagscale;

void read_all(std::string_view index, std::string_view pack) {
  auto made = git::Pack::parse(test::exactly(index), test::exactly(pack));
  if (!made) return;
  std::vector<std::unique_ptr<git::Pack>> packs;
  packs.push_back(std::move(made));
  git::PackReader reader(std::make_shared<const git::Packs>(std::move(packs)));
  for (unsigned number = 0; number < 16; ++number) {
    const auto object = reader.read(test::made_id(number));
    fuzz::require(!object || reader.has(test::made_id(number)));
    fuzz::require(!object || object->bytes.size() <= std::size_t{64} << 20U);
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::as_text(data, size);
  test::MadePack sound;
  sound.add_whole(test::made_id(1), 3, "sound");
  read_all(text, sound.pack());
  read_all(sound.index(), text);

  test::MadePack made;
  const std::size_t count = size == 0 ? 0 : data[0] % 16U;
  const std::size_t header = 1 + 2 * count;
  if (size < header) return 0;
  for (std::size_t i = 0; i < count; ++i) {
    made.point(test::made_id(static_cast<unsigned>(i)),
               data[1 + 2 * i] * std::uint64_t{256} + data[2 + 2 * i]);
  }
  made.append(text.substr(header));
  read_all(made.index(count % 2 == 0 ? 13 : 64), made.pack());
  return 0;
}
