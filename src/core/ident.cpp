// SPDX-License-Identifier: Apache-2.0
#include "core/ident.h"

#include <algorithm>
#include <iterator>

namespace flagscale {
namespace {

bool is_crud(char c) {
  constexpr std::string_view kPunctuation = ".,:;<>\"\\'";
  return static_cast<unsigned char>(c) <= 32 || kPunctuation.find(c) != std::string_view::npos;
}

bool is_delimiter(char c) {
  return c == '\n' || c == '<' || c == '>';
}

}  // namespace

bool has_ident_text(std::string_view name) {
  return !std::all_of(name.begin(), name.end(), is_crud);
}

std::string clean_ident(std::string_view part) {
  while (!part.empty() && is_crud(part.front())) part.remove_prefix(1);
  while (!part.empty() && is_crud(part.back())) part.remove_suffix(1);
  std::string out;
  out.reserve(part.size());
  std::remove_copy_if(part.begin(), part.end(), std::back_inserter(out), is_delimiter);
  return out;
}

}  // namespace flagscale
