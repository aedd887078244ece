// SPDX-License-Identifier: Apache-2.0
//
// Patch files that were not written by patch: whatever git writes mails with, unpatch makes the
// commits that real `git am` makes of them, or both refuse.
#include <doctest/doctest.h>

#include "core/mailbox.h"
#include "support/adaptation.h"
#include "support/mail_oracle.h"

namespace flagscale::test {
namespace {

/// A clone of the upstream, into whose store any file is put in place of the patch.
struct Reader : Adaptation {
  TestRepo user;
  std::size_t compared = 0;
  std::size_t refused = 0;

  Reader() : user(TestRepo::clone_of(upstream)) {
    repo.git({"mv", "README.md", "docs.md"});
    repo.write("src/engine.c", "int engine;\r\nint gbk = '\xd6\xd0';\n \n\t\n-- \nno end");
    repo.symlink("docs.md", "link");
    repo.write("empty", "");
    repo.write("caf\xc3\xa9 \"x\"", "names\n");
    repo.set_env("GIT_AUTHOR_NAME", "J\xc3\xbcrgen, \"the\" Ace");
    repo.commit(
        "[kernels] a subject that is long enough to be folded when it is written into the "
        "header of a mail, \xe4\xb8\xad\xe6\x96\x87 too\n\n> quoted\n\tindented = 3D\n-- \nno "
        "signature\n\nSigned-off-by: A <a@a.example>");
    repo.remove("src/x100/table.bin");
    repo.write("src/x100/kernel.c", "int x100;\nint more;\n");
    current = repo.commit("two\nlines of subject");
    repo.git({"notes", "add", "-m", "a note", "HEAD"});
  }

  /// What git prints about the work.
  [[nodiscard]] std::string print(const Args& args) const {
    const Outcome outcome = repo.try_git(args);
    REQUIRE_MESSAGE(outcome.ok(), describe(outcome));
    return outcome.out;
  }
  [[nodiscard]] std::string format_patch(const Args& options) const {
    return print(Args{"format-patch", "--stdout"} + options + Args{base + ".." + current});
  }

  /// Runs unpatch on a store of nothing but this file; the adapted commit, empty when refused.
  [[nodiscard]] std::string rebuild(const std::string& series) const {
    user.git({"switch", "--quiet", "--force-create", "main", "origin/main"});
    const std::string name = base8(base);
    user.write("hardware/A_X100/" + name + "/" + name + ".patch", series);
    user.git({"add", "--all"});
    user.git({"commit", "--quiet", "-m", "store"});
    const Outcome outcome =
        user.flagscale({"unpatch", "--device-type", "A_X100", "--commit-id", base});
    INFO(describe(outcome));
    CHECK((outcome.ok() || outcome.status == 1 || outcome.status == 128));
    return outcome.ok() ? user.rev("HEAD") : "";
  }
  void compare(const std::string& series) {
    const auto am = user.am(series, base);
    INFO(describe(am.outcome));
    const std::string adapted = am.outcome.ok() ? am.commits.back() : "";
    CHECK(rebuild(series) == adapted);
    ++compared;
    if (adapted.empty()) ++refused;
  }
};

TEST_CASE("every way in which git format-patch writes") {
  Reader r;
  for (const Args& options : std::vector<Args>{{},
                                               {"--attach"},
                                               {"--attach=BOUNDARY"},
                                               {"--inline"},
                                               {"--signoff"},
                                               {"--base=" + r.base},
                                               {"--notes"},
                                               {"--thread=deep"},
                                               {"--in-reply-to=<x@y>"},
                                               {"-p"},
                                               {"--no-stat"},
                                               {"--stat=20", "--summary"},
                                               {"--dirstat", "--compact-summary"},
                                               {"-k"},
                                               {"--numbered"},
                                               {"--start-number=7"},
                                               {"-v3"},
                                               {"--rfc"},
                                               {"--subject-prefix="},
                                               {"--subject-prefix=A] [B"},
                                               {"--cover-letter"},
                                               {"--zero-commit"},
                                               {"--from"},
                                               {"--from=S Ender <s@s.example>"},
                                               {"--from=S <s@s.example>", "--force-in-body-from"},
                                               {"--encode-email-headers"},
                                               {"--no-encode-email-headers"},
                                               {"--to=X <x@y.z>", "--cc=Y <x@y.z>"},
                                               {"--add-header=X-Mine: yes"},
                                               {"--no-signature"},
                                               {"--signature=---"},
                                               {"--signature=diff --git a/f b/f"},
                                               {"--full-index"},
                                               {"--abbrev=4"},
                                               {"--no-renames"},
                                               {"-M10%"},
                                               {"-C", "-C"},
                                               {"-B"},
                                               {"-D"},
                                               {"-U0"},
                                               {"-U1"},
                                               {"-U100"},
                                               {"-W"},
                                               {"--inter-hunk-context=50"},
                                               {"--patience"},
                                               {"--histogram"},
                                               {"--minimal"},
                                               {"-a"},
                                               {"--no-binary"},
                                               {"-R"},
                                               {"-w"},
                                               {"--ignore-blank-lines"},
                                               {"--ita-invisible-in-index"},
                                               {"--submodule=log"},
                                               {"--src-prefix=old/", "--dst-prefix=new/"},
                                               {"--src-prefix=c/d/", "--dst-prefix=i/d/"},
                                               {"--line-prefix=> "},
                                               {"--output-indicator-new=>"},
                                               {"--word-diff"},
                                               {"--color=always"},
                                               {"-s"},
                                               {"--raw"},
                                               {"--relative=src"},
                                               {"--reverse"}}) {
    Args all{"--binary"};
    for (const std::string& option : options) {
      if (option == "--no-binary") {
        all.clear();
      } else {
        all.push_back(option);
      }
    }
    CAPTURE(all);
    r.compare(r.format_patch(all));
  }
  MESSAGE(r.compared << " comparisons, " << r.refused << " refused by both");
  CHECK(r.refused < r.compared / 3);
}

TEST_CASE("other commands of git that print mails and diffs") {
  Reader r;
  const std::string range = r.base + ".." + r.current;
  r.compare(r.print({"log", "--reverse", "-p", "--binary", "--format=email", range}));
  r.compare(r.print({"log", "--reverse", "-p", "--binary", "--format=mboxrd", range}));
  r.compare(r.print({"log", "--reverse", "-p", "--binary", range}));
  r.compare(r.print({"show", "--binary", "--format=email", r.current}));
  r.compare(r.print({"rev-list", "--pretty=email", range}));
}

TEST_CASE("what mail programs and systems make of a patch file") {
  Reader r;
  const std::string series = r.format_patch({"--binary"});
  const auto each_body = [&](const std::string& encoding, auto&& encode) {
    std::string out;
    for (const RawMail& raw : split_mailbox(Content(std::string(series)))) {
      const std::string mail(raw.bytes.view());
      const std::size_t body = mail.find("\n\n") + 2;
      std::string head = mail.substr(0, body - 1);
      head = replace_all(head, "Content-Transfer-Encoding: 8bit\n", "");
      out += head + "Content-Transfer-Encoding: " + encoding + "\n\n" + encode(mail.substr(body));
    }
    return out;
  };
  r.compare(each_body("quoted-printable", quoted_printable));
  r.compare(each_body("base64", base64));
  r.compare(replace_all(series, "\n--- \n", "\n---\n"));
  // Cut anywhere.
  for (std::size_t part = 1; part < 12; ++part) {
    CAPTURE(part);
    r.compare(series.substr(0, series.size() * part / 12));
  }
  r.compare(series + series);
  r.compare("\n\n" + series);
  r.compare(series + "garbage\n");
  r.compare("garbage\n" + series);
  r.compare("");
}

TEST_CASE("a patch file that became CRLF as a whole is read without the CRs or refused") {
  Reader r;
  const auto id_of = [&](const std::string& series) {
    const auto am = r.user.am(series, r.base);
    REQUIRE(am.outcome.ok());
    return am.commits.back();
  };
  const std::string series = r.format_patch({"--binary"});
  CHECK(r.rebuild(replace_all(series, "\n", "\r\n")) == id_of(series));
  // Line ends that were CRLF before cannot be told from the others any more.
  CHECK(r.rebuild(replace_all(replace_all(series, "\r\n", "\n"), "\n", "\r\n")).empty());
  const std::string plain =
      r.print({"format-patch", "--stdout", "--binary", r.base + ".." + r.current + "~2"});
  CHECK(r.rebuild(replace_all(plain, "\n", "\r\n")) == id_of(plain));
}

}  // namespace
}  // namespace flagscale::test
