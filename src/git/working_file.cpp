// SPDX-License-Identifier: Apache-2.0
#include "git/working_file.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"

namespace flagscale::git {

Fd make_working_file(int folder, const std::string& name, Mode mode, const Content& bytes,
                     const std::string& shown) {
  if (mode == Mode::symlink) {
    const std::string target(bytes.view());
    if (symlinkat(target.c_str(), folder, name.c_str()) != 0) {
      throw_errno("cannot make symlink", shown);
    }
    return {};
  }
  const mode_t permissions = mode == Mode::executable ? 0777 : 0666;
  Fd fd(openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
               permissions));
  if (!fd.is_open()) throw_errno("cannot make", shown);
  write_all(fd.get(), bytes.view(), shown);
  return fd;
}

}  // namespace flagscale::git
