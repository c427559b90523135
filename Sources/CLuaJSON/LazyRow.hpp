#pragma once

#include "Document.hpp"
#include "Lua.hpp"
#include "MemberTexts.hpp"

namespace cjson {

/// A row whose members are read where a script asks for them, or when it is made, if that was asked of a row before it: then they move
/// into its table, where they are like those of any other, and stand no more. What the table lacks of the others, the script has removed.
/// Numbers that lose digits never move: where one does not stand, the script has set what is there, whatever double that is.
/// A script that does more with the row than to walk over it, and to read, set and remove members by their names, has it made plain.
struct LazyRow {
  Document *document;
  Row *row;  ///< null: the value is none

  /// A member of the document's object: its value on the tape (0: there is none), and its bit.
  struct Member {
    uint32_t at;
    uint64_t bit;
  };

  /// A bit for each member that stands in the document; two more say that the row is lazy, and that its table has no members
  /// that the object does not have.
  uint64_t &standing() const { return document->standing[row - document->rows]; }

  static constexpr uint64_t isLazy = uint64_t{1} << 63, noOthers = uint64_t{1} << 62, asItCame = ~uint64_t{0};

  /// Whether a row that was made is lazy, and not plain.
  bool isStill() const { return document->isHeld && (standing() & isLazy) != 0; }

  /// Whether any member of a lazy row stands in the document.
  bool hasStanding() const { return (standing() & ((uint64_t{1} << document->tape.count(row->tape)) - 1)) != 0; }

  /// Whether the document's habits are of such rows.
  bool hasHabits() const { return row->shape == document->habits.shape; }

  /// The object's member with this key.
  Member member(const char *key, size_t length) const;

  /// Whether the value at `index` of the stack is the one that the document has at `at`, to the last of what is in it.
  bool has(uint32_t at, lua_State *L, int index) const;

  /// Whether the value at `index`, which is the document's and does not stand, is written with the digits that it and those within have
  /// there: a number that a script has set, and those in a copy that it made, are rounded.
  bool hasDigits(uint32_t at, lua_State *L, int index, MemberTexts &texts) const {
    const char kind = document->tape.kind(at);
    return kind == '{' || kind == '[' ? hasDigitsWithin(at, L, index, texts) : !texts.loseDigits(at);
  }

  /// Moves a member that stands into the table at 1, but for a number that loses digits; its key is on top of the stack, and then its
  /// value.
  void take(lua_State *L, const Member &member) const;

 private:
  bool hasDigitsWithin(uint32_t at, lua_State *L, int index, MemberTexts &texts) const;
};

/// Rows with more members, or with two of one name, are made at once.
constexpr uint32_t mostLazyMembers = 62;

/// Pushes a row of the document at `documentIndex` as such a table; answers false, with nothing pushed, where it has to be
/// made at once.
bool pushLazyRow(lua_State *L, int documentIndex, Row &row);

/// The member that the string at 2 of the stack names; none where it is no string.
LazyRow::Member namedMember(lua_State *L, const LazyRow &lazy);

/// The document of the rows whose metamethod is called.
Document &documentOf(lua_State *L);

/// The row of a document behind the table at `index`.
LazyRow rowOf(lua_State *L, int index, Document &document);

/// Pushes the document of the lazy row at `index`.
void pushDocument(lua_State *L, int index);

/// Pushes the list of the keys that were noted last of the rows of the document at `documentIndex`.
void pushNotedKeys(lua_State *L, int documentIndex);

/// Pushes the list of the keys of others in the habits of the document at `documentIndex`.
void pushOthers(lua_State *L, int documentIndex);

/// The row behind the value at `index`.
LazyRow lazyRowAt(lua_State *L, int index);

/// Finds the rows behind many values, of which most are of one document.
struct RowFinder {
  lua_State *L;
  int kept;  ///< a place on the stack, for the metatable of the rows of the document
  Document *document = nullptr;

  /// The row behind the value at `index`.
  LazyRow at(int index);
};

/// Whether the key at `index` is none of a lazy row's members, but the host's own.
bool isKeyOfHost(lua_State *L, int index);

/// Makes the lazy row at `index` plain: all of it, or nothing when it raises.
void makePlain(lua_State *L, int index, const LazyRow &lazy);

/// `pairs` of the lazy row at 1, a metamethod.
int pairsOfRow(lua_State *L);

/// `next`, of any table: rows are made plain.
int nextOfAny(lua_State *L);

}  // namespace cjson
