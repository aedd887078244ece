// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

namespace flagscale::cli {
namespace {

constexpr OptionSpec kHelp{"help", 'h', "", false, "show this help"};
constexpr OptionSpec kQuiet{"quiet", 'q', "", false, "say nothing but the result"};
constexpr OptionSpec kJson{"json", 0, "", false, "print the result as one JSON object"};
constexpr OptionSpec kHardwareDir{"hardware-dir", 0, "<folder>", false,
                                  "the store, from the top of the repository"};
constexpr OptionSpec kDryRun{"dry-run", 'n', "", false, "show what would be done, change nothing"};
// The companions read one store; devices and bases may stand as words, too.
constexpr OptionSpec kFrom{"from", 0, "<commit>", false,
                           "read the store of this commit (default: HEAD and the working tree)"};
constexpr OptionSpec kDevices{"device-type", 0, "<device>", true, "only these device types"};
constexpr OptionSpec kBases{"commit-id", 0, "<base>", true,
                            "only these bases: first digits, an id, any name"};

}  // namespace

// NOLINTNEXTLINE(readability-function-size): a table.
const std::vector<CommandSpec>& command_table() {
  static const std::vector<CommandSpec> kTable = {
      {"patch",
       "publish an adaptation as a patch file",
       {"patch --device-type <device>... --base-commit-id <commit>",
        "      [--current-commit-id <commit>] [--onto <commit>] [--squash] [--no-switch]",
        "      [-m <message>] [-s] [-n] [-q] [--json] [--hardware-dir <folder>]"},
       false,
       {{"device-type", 0, "<device>", true,
         "Vendor_Chip; the last one is published, the others must have a patch"},
        {"base-commit-id", 0, "<commit>", false, "the upstream commit the adaptation starts from"},
        {"current-commit-id", 0, "<commit>", false, "the adapted code (default: HEAD)"},
        {"onto", 0, "<commit>", false, "parent of the patch commit (default: the base)"},
        {"squash", 0, "", false, "one mail for all commits"},
        {"no-switch", 0, "", false, "leave HEAD, index and working tree alone"},
        {"message", 'm', "<message>", false, "message of the patch commit"},
        {"signoff", 's', "", false, "add a Signed-off-by trailer"},
        kDryRun,
        kQuiet,
        kJson,
        kHardwareDir,
        kHelp}},
      {"unpatch",
       "rebuild the adapted code",
       {"unpatch --device-type <device> --commit-id <base> [--branch <name>] [--from <commit>]",
        "unpatch --device-type <device>... --commit-id <base> --dir <folder> [--force]",
        "      [--from <commit>] [-n] [-q] [--json] [--hardware-dir <folder>]"},
       false,
       {{"device-type", 0, "<device>", true, "Vendor_Chip; several need --dir"},
        {"commit-id", 0, "<base>", false, "the base: its first digits, its id, any name of it"},
        {"dir", 0, "<folder>", false, "rebuild into <folder>/<device>/<repository>"},
        {"from", 0, "<commit>", false, "read the store of this commit"},
        {"branch", 0, "<name>", false, "in place: put the adapted commit on a new branch"},
        {"force", 'f', "", false, "with --dir: set aside what is in the way"},
        kDryRun,
        kQuiet,
        kJson,
        kHardwareDir,
        kHelp}},
      {"list",
       "list the patches in the store",
       {"list [<device>...] [<base>...] [--from <commit>] [-q] [--json]",
        "      [--hardware-dir <folder>]"},
       true,
       {kDevices,
        kBases,
        kFrom,
        {"quiet", 'q', "", false, "print the rows alone"},
        kJson,
        kHardwareDir,
        kHelp},
       {},
       "DATE and SUBJECT are those of the adaptation's last commit."},
      {"show",
       "show all about a device type or one of its patches",
       {"show <device> [<base>] [--from <commit>] [-p] [-q] [--json]",
        "      [--hardware-dir <folder>]"},
       true,
       {{"device-type", 0, "<device>", false, "the device type, if it is not given as a word"},
        {"commit-id", 0, "<base>", false, "the base (default: all that the device has)"},
        kFrom,
        {"patch", 'p', "", false, "print the patch file as it is stored"},
        kQuiet,
        kJson,
        kHardwareDir,
        kHelp}},
      {"verify",
       "check that every patch in the store can be rebuilt",
       {"verify [<device>...] [<base>...] [--from <commit>] [-q] [--json]",
        "      [--hardware-dir <folder>]"},
       true,
       {kDevices, kBases, kFrom, kQuiet, kJson, kHardwareDir, kHelp}},
      {"hetero",
       "list, add, remove or import combinations",
       {"hetero list [<device>...] [<base>...] [--from <commit>] [-q] [--json]",
        "      [--hardware-dir <folder>]",
        "hetero add <base> <device>... [-q] [--json] [--hardware-dir <folder>]",
        "hetero remove <base> <device>... [-q] [--json] [--hardware-dir <folder>]",
        "hetero import [<file>] [-q] [--json] [--hardware-dir <folder>]"},
       true,
       {{"device-type", 0, "<device>", true, "the device types, if they are not given as words"},
        {"commit-id", 0, "<base>", false, "the base, if it is not given as a word"},
        {"from", 0, "<commit>", false, "list: read the store of this commit"},
        kQuiet,
        kJson,
        kHardwareDir,
        kHelp},
       {"list", "add", "remove", "import"}},
  };
  return kTable;
}

}  // namespace flagscale::cli
