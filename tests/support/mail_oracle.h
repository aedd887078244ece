// SPDX-License-Identifier: Apache-2.0
//
// Reads mails both with the real `git am` and with core/mailbox.h, and holds the results to each
// other: author, date, zone, message and patch, byte for byte, and who refuses what.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/test_repo.h"

namespace flagscale::test {

/// What the real `git am` made of a mailbox.
struct GitReading {
  struct Commit {
    std::string author;
    std::string message;
  };
  bool ok = false;
  /// A mail was read, but its diff could not be applied.
  bool apply_failed = false;
  std::vector<Commit> commits;
  /// By the mail's number, from 1.
  std::map<std::size_t, std::string> patches;
  /// What was printed.
  std::string talk;
};

/// A repository in which `git am` runs again and again.
class MailOracle {
 public:
  MailOracle();

  /// A diff that adds a file nobody has added yet.
  [[nodiscard]] std::string diff(const std::string& extra = {});
  [[nodiscard]] GitReading read(const std::string& mailbox);
  /// Checks that both read a mailbox alike. True when its mails were accepted. What we refuse on
  /// purpose counts as alike: mails without a date, for which git takes today, and moments before
  /// 1970, which git turns into ones far in the future.
  bool compare(const std::string& name, const std::string& mailbox);

  /// How many mailboxes were compared, and how many of them were accepted by both.
  [[nodiscard]] std::size_t compared() const { return compared_; }
  [[nodiscard]] std::size_t accepted() const { return accepted_; }

 private:
  void add_commits(const std::string& before, GitReading& reading) const;

  TestRepo repo_;
  int files_ = 0;
  std::size_t compared_ = 0;
  std::size_t accepted_ = 0;
};

/// Reads a mailbox with our own reader; the message when it is refused, else nothing.
[[nodiscard]] std::string refusal_of(const std::string& mailbox);

/// The line that `git format-patch` puts before each mail.
[[nodiscard]] std::string mail_separator();
/// A `From` and a `Date` header.
[[nodiscard]] std::string plain_headers();
/// One mail with its separator.
[[nodiscard]] std::string mail_of(const std::string& headers, const std::string& body);

[[nodiscard]] std::string base64(std::string_view bytes);
[[nodiscard]] std::string quoted_printable(std::string_view bytes);
[[nodiscard]] std::string replace_all(std::string text, std::string_view what,
                                      std::string_view with);

struct MailCase {
  std::string name;
  /// Each `$DIFF` stands for a diff.
  std::string mailbox;
};
/// Compares all of them; at least so many must have been accepted.
void compare_all(const std::vector<MailCase>& cases, std::size_t at_least_accepted);

}  // namespace flagscale::test
