// SPDX-License-Identifier: Apache-2.0
#include "support/mail_oracle.h"

#include <cstdint>
#include <filesystem>
#include <utility>

#include <doctest/doctest.h>

#include "base/bytes.h"
#include "base/error.h"
#include "core/mailbox.h"
#include "git/object.h"

namespace flagscale::test {
namespace {

namespace fs = std::filesystem;

struct OurMail {
  std::size_t number = 0;
  Mail mail;
};
struct OurReading {
  std::vector<OurMail> mails;
  std::string refusal;
};

OurReading read_ours(const std::string& mailbox) {
  OurReading reading;
  try {
    std::size_t number = 0;
    for (const RawMail& raw : split_mailbox(Content(std::string(mailbox)))) {
      ++number;
      Mail mail = parse_mail(raw);
      if (!mail.skipped) reading.mails.push_back({number, std::move(mail)});
    }
  } catch (const Error& error) {
    reading.refusal = error.what();
    CHECK(error.kind() == ErrorKind::unable);
    CHECK(reading.refusal.find("line ") != std::string::npos);
  }
  return reading;
}

bool refused_on_purpose(const std::string& refusal, const std::string& author) {
  constexpr std::uint64_t kYear2100 = 4102444800;
  if (refusal.find("no date") != std::string::npos) return true;
  return refusal.find("outside 1970 to 2099") != std::string::npos &&
         git::parse_signature(author).seconds >= kYear2100;
}

void check_same(const GitReading& theirs, const OurReading& ours) {
  const std::size_t count = theirs.commits.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [number, mail] = ours.mails[i];
    CHECK(git::format_signature(mail.author) == theirs.commits[i].author);
    CHECK(mail.message == theirs.commits[i].message);
    CHECK(std::string(mail.patch.view()) == theirs.patches.at(number));
  }
  if (theirs.ok) {
    CHECK(ours.refusal.empty());
    CHECK(ours.mails.size() == count);
  } else if (theirs.apply_failed && ours.mails.size() > count) {
    const auto& [number, mail] = ours.mails[count];
    CHECK(std::string(mail.patch.view()) == theirs.patches.at(number));
  } else {
    CHECK_FALSE(ours.refusal.empty());
    CHECK(ours.mails.size() == count);
  }
}

}  // namespace

MailOracle::MailOracle() {
  repo_.commit_file("base.txt", "base\n", "base");
  repo_.write_executable(".git/hooks/applypatch-msg",
                         "#!/bin/sh\n"
                         "state=$(git rev-parse --git-dir)/rebase-apply\n"
                         "cp \"$state/patch\" \"$state/../got/$(cat \"$state/next\")\"\n");
}

std::string MailOracle::diff(const std::string& extra) {
  const std::string name = "n" + std::to_string(++files_);
  return "diff --git a/" + name + " b/" + name +
         "\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/" + name +
         "\n@@ -0,0 +1,2 @@\n+one" + extra + "\n+two\n";
}

GitReading MailOracle::read(const std::string& mailbox) {
  const fs::path git_folder = repo_.path(".git");
  fs::remove_all(git_folder / "rebase-apply");
  fs::remove_all(git_folder / "got");
  fs::create_directory(git_folder / "got");
  repo_.write(".git/series", mailbox);
  const std::string before = repo_.rev("HEAD");
  const auto outcome = repo_.try_git({"-c", "i18n.commitEncoding=UTF-8", "-c",
                                      "commit.gpgSign=false", "-c", "apply.whitespace=nowarn", "am",
                                      "--keep-non-patch", "--keep-cr", repo_.path(".git/series")});
  GitReading reading;
  reading.ok = outcome.ok();
  reading.talk = outcome.out + outcome.err;
  // Some garbled diffs make git's own applier stop on an assertion.
  constexpr int kGaveUp = 128;
  reading.apply_failed =
      outcome.status > kGaveUp || outcome.out.find("Patch failed at") != std::string::npos;
  for (const auto& entry : fs::directory_iterator(git_folder / "got")) {
    const std::string number = entry.path().filename().string();
    reading.patches[std::stoul(number)] = repo_.read(".git/got/" + number);
  }
  if (!reading.ok) {
    fs::remove(git_folder / "index.lock");
    repo_.git({"reset", "--quiet", "--hard"});
  }
  add_commits(before, reading);
  return reading;
}

void MailOracle::add_commits(const std::string& before, GitReading& reading) const {
  const std::string ids = repo_.git({"rev-list", "--reverse", before + "..HEAD"});
  for (std::string_view rest = ids; !rest.empty();) {
    const std::string id(without_lf(take_line(rest)));
    const std::string commit = repo_.try_git({"cat-file", "commit", id}).out;
    constexpr std::string_view kAuthor = "\nauthor ";
    const std::size_t author = commit.find(kAuthor) + kAuthor.size();
    reading.commits.push_back({commit.substr(author, commit.find('\n', author) - author),
                               commit.substr(commit.find("\n\n") + 2)});
  }
}

bool MailOracle::compare(const std::string& name, const std::string& mailbox) {
  CAPTURE(name);
  CAPTURE(mailbox);
  const GitReading theirs = read(mailbox);
  const OurReading ours = read_ours(mailbox);
  CAPTURE(theirs.talk);
  CAPTURE(ours.refusal);
  ++compared_;
  if (ours.mails.size() < theirs.commits.size()) {
    CHECK(refused_on_purpose(ours.refusal, theirs.commits[ours.mails.size()].author));
    return false;
  }
  check_same(theirs, ours);
  if (theirs.ok) ++accepted_;
  return theirs.ok;
}

std::string refusal_of(const std::string& mailbox) {
  return read_ours(mailbox).refusal;
}

std::string mail_separator() {
  return "From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\n";
}

std::string plain_headers() {
  return "From: A U Thor <author@example.com>\nDate: Tue, 2 Jan 2024 03:04:05 +0800\n";
}

std::string mail_of(const std::string& headers, const std::string& body) {
  return mail_separator() + headers + "\n" + body;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::size_t column = 0;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      bits = bits << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      out += i + j > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * j) & 63U];
    }
    if (++column % 19 == 0) out += '\n';
  }
  return out + "\n";
}

std::string quoted_printable(std::string_view bytes) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  std::size_t width = 0;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      out += c;
      width = 0;
      continue;
    }
    if (width > 70) {
      out += "=\n";
      width = 0;
    }
    if (byte > 126 || byte < 32 || c == '=') {
      out += {'=', kHex[byte >> 4], kHex[byte & 15U]};
      width += 3;
    } else {
      out += c;
      ++width;
    }
  }
  return out;
}

std::string replace_all(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

void compare_all(const std::vector<MailCase>& cases, std::size_t at_least_accepted) {
  constexpr std::string_view kMark = "$DIFF";
  MailOracle oracle;
  for (const MailCase& one : cases) {
    std::string mailbox = one.mailbox;
    for (std::size_t at = mailbox.find(kMark); at != std::string::npos; at = mailbox.find(kMark)) {
      mailbox.replace(at, kMark.size(), oracle.diff());
    }
    oracle.compare(one.name, mailbox);
  }
  CHECK(oracle.accepted() >= at_least_accepted);
  MESSAGE(oracle.compared() << " mailboxes compared, " << oracle.accepted() << " accepted by both");
}

}  // namespace flagscale::test
