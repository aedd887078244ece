// SPDX-License-Identifier: Apache-2.0
//
// The heterogeneous mapping: which device types, adapted to one base, run together. One JSON
// file per combination, and the old text format that they replace.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/device_type.h"
#include "git/oid.h"

namespace flagscale {

/// Device types in byte order, at least two, none twice.
using Devices = std::vector<DeviceType>;

/// Sorts and removes doubles.
[[nodiscard]] Devices normalised(Devices devices);
/// Whether all of `part` are in `whole`.
[[nodiscard]] bool contains(const Devices& whole, const Devices& part);
/// `A_X100 B_Y100`.
[[nodiscard]] std::string format_devices(const Devices& devices);

struct Combination {
  git::Oid base;
  Devices devices;
};

/// The file's name in `hetero/<base8>/`: device types joined by '+'. Long ones are shortened to
/// fit into a file name and made unique by a hash.
[[nodiscard]] std::string combination_file_name(const Devices& devices);
[[nodiscard]] std::string format_combination(const Combination& combination);
/// Throws Error(unable) with file and line, also for device types that are none, not sorted,
/// doubled or fewer than two.
[[nodiscard]] Combination parse_combination(const std::string& name, std::string_view text);

/// One line of the old mapping.
struct HeteroLine {
  /// As written: any number of hex digits, lower-cased.
  std::string base;
  Devices devices;
  std::size_t line = 0;
};

/// Reads `base: device device` lines. Comments (`#`), blank lines, CR LF and doubled blanks are
/// fine; anything else is an Error(unable) with file and line, and so are more than 1 MiB.
[[nodiscard]] std::vector<HeteroLine> parse_hetero_text(const std::string& name,
                                                        std::string_view text);
/// The same format, without comments.
[[nodiscard]] std::string format_hetero_line(std::string_view base, const Devices& devices);

}  // namespace flagscale
