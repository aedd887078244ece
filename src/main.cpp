// SPDX-License-Identifier: Apache-2.0
#include "cli/app.h"

int main(int argc, char** argv) {
  return flagscale::cli::run({argv + 1, argv + argc});
}
