// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <cerrno>
#include <system_error>

#include "base/quote.h"

namespace flagscale {

void throw_errno(const std::string& doing, const std::string& subject, int error) {
  throw Error(ErrorKind::io,
              doing + " " + in_quotes(subject) + ": " + std::generic_category().message(error));
}

void throw_errno(const std::string& doing, const std::string& subject) {
  throw_errno(doing, subject, errno);
}

}  // namespace flagscale
