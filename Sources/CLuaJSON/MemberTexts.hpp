#pragma once

#include "Digits.hpp"
#include "RowText.hpp"

namespace cjson {

/// The texts of a row's members, for who goes along its tape and wants few of them, each behind those before.
struct MemberTexts {
  MemberTexts(const Document &document, const Row &row)
      : document(document), text{document.text + row.start}, key(row.tape + 1) {}

  /// A walk along the value at `at`, whatever that is; nowhere, where no number in it loses digits.
  TextWalk walk(uint32_t at) {
    if (document.isUniform || !mayLoseDigits(document.tape, at)) return {};
    RowText::Member member = text.next();
    for (; key + 1 != at; key = document.tape.next(key + 1)) member = text.next();
    key = document.tape.next(at);
    while (RowText::isSpace(*member.value)) member.value++;
    return {member.value, member.end};
  }

  /// Whether the value at `at` is a number that loses digits.
  bool loseDigits(uint32_t at) {
    if (!mayBeRounded(document.tape, at)) return false;
    const TextWalk value = walk(at);
    return value.at && losesDigits(document.tape, at, value.at, value.end);
  }

 private:
  const Document &document;
  RowText text;
  uint32_t key;  ///< of the next member, on the tape
};

}  // namespace cjson
