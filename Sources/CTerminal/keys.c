/* Keys that mean more than libedit knows of: blocks of lines, history and completion are ours. */
#include "line.h"

#include <stdlib.h>

cedit_wish cedit_wished;

static unsigned char wish(cedit_wish what) {
  cedit_wished = what;
  return CC_NORM;
}

static ptrdiff_t left_of(EditLine *editor) {
  const LineInfoW *line = el_wline(editor);
  return line->cursor - line->buffer;
}

static ptrdiff_t right_of(EditLine *editor) {
  const LineInfoW *line = el_wline(editor);
  return line->lastchar - line->cursor;
}

/* A function for a key that is not libedit's to handle. */
#define WISH(name, what)                                     \
  static unsigned char name(EditLine *editor, int key) {     \
    (void)editor, (void)key;                                 \
    return wish(what);                                       \
  }

WISH(enter, CEDIT_ENTER)
WISH(force, CEDIT_FORCE)
WISH(complete, CEDIT_COMPLETE)
WISH(previous, CEDIT_PREVIOUS)
WISH(next, CEDIT_NEXT)
WISH(oldest, CEDIT_OLDEST)
WISH(newest, CEDIT_NEWEST)
WISH(search, CEDIT_SEARCH)
WISH(clear_screen, CEDIT_CLEAR_SCREEN)
WISH(undo, CEDIT_UNDO)
WISH(open_editor, CEDIT_OPEN_EDITOR)

static unsigned char left(EditLine *editor, int key) {
  (void)key;
  if (left_of(editor) == 0) return wish(CEDIT_LEFT_OUT);
  el_cursor(editor, -1);
  return CC_CURSOR;
}

static unsigned char right(EditLine *editor, int key) {
  (void)key;
  if (right_of(editor) == 0) return wish(CEDIT_RIGHT_OUT);
  el_cursor(editor, 1);
  return CC_CURSOR;
}

static unsigned char delete_before(EditLine *editor, int key) {
  (void)key;
  if (left_of(editor) == 0) return wish(CEDIT_JOIN_BEFORE);
  el_deletestr(editor, 1);
  return CC_REFRESH;
}

static unsigned char delete_after(EditLine *editor, int key) {
  (void)key;
  if (right_of(editor) == 0) return wish(CEDIT_JOIN_AFTER);
  el_cursor(editor, 1);
  el_deletestr(editor, 1);
  return CC_REFRESH;
}

static unsigned char delete_or_leave(EditLine *editor, int key) {
  if (left_of(editor) == 0 && right_of(editor) == 0) return wish(CEDIT_LEAVE);
  return delete_after(editor, key);
}

struct bound {
  const wchar_t *name;
  const wchar_t *help;
  unsigned char (*function)(EditLine *, int);
  /* As `EL_BIND` takes them. */
  const char *keys[8];
};

static const struct bound functions[] = {
    {L"prompt-enter", L"Run the input, or go on with another line", enter, {"^M", "^J"}},
    {L"prompt-force", L"Run the input as it is", force, {"^[^M", "^[^J"}},
    {L"prompt-complete", L"Complete the word", complete, {"^I"}},
    {L"prompt-previous", L"The line above, or the entry before", previous, {"^P", "^[[A", "^[OA"}},
    {L"prompt-next", L"The line below, or the entry after", next, {"^N", "^[[B", "^[OB"}},
    {L"prompt-oldest", L"The oldest entry", oldest, {"^[<", "^[[5~"}},
    {L"prompt-newest", L"The newest entry", newest, {"^[>", "^[[6~"}},
    {L"prompt-search", L"Search the history backwards", search, {"^R"}},
    {L"prompt-clear-screen", L"Clear the screen", clear_screen, {"^L"}},
    {L"prompt-undo", L"Undo", undo, {"^_"}},
    {L"prompt-editor", L"Edit the input in $VISUAL or $EDITOR", open_editor, {"^X^E"}},
    {L"prompt-left", L"To the left", left, {"^B", "^[[D", "^[OD"}},
    {L"prompt-right", L"To the right", right, {"^F", "^[[C", "^[OC"}},
    {L"prompt-delete-before", L"Delete to the left", delete_before, {"^H", "^?"}},
    {L"prompt-delete-after", L"Delete to the right", delete_after, {"^[[3~"}},
    {L"prompt-delete-or-leave", L"Delete to the right, or leave", delete_or_leave, {"^D"}},
};

/* Motions that libedit has but binds to no key that terminals send. */
static const char *const motions[][2] = {
    {"^[[1;5C", "em-next-word"},   {"^[[1;5D", "ed-prev-word"},        {"^[[1;3C", "em-next-word"},
    {"^[[1;3D", "ed-prev-word"},   {"^[[1~", "ed-move-to-beg"},        {"^[[4~", "ed-move-to-end"},
    {"^[[H", "ed-move-to-beg"},    {"^[[F", "ed-move-to-end"},         {"^[OH", "ed-move-to-beg"},
    {"^[OF", "ed-move-to-end"},    {"^[[3;5~", "em-delete-next-word"}, {"^W", "ed-delete-prev-word"},
    {"^[^?", "ed-delete-prev-word"}, {"^U", "vi-kill-line-prev"},
};

void cedit_bind_keys(EditLine *editor) {
  for (size_t index = 0; index < sizeof functions / sizeof functions[0]; index++) {
    const struct bound *bound = &functions[index];
    char name[32];
    wcstombs(name, bound->name, sizeof name);
    el_wset(editor, EL_ADDFN, bound->name, bound->help, bound->function);
    for (const char *const *key = bound->keys; *key != NULL; key++) {
      el_set(editor, EL_BIND, *key, name, NULL);
    }
  }
  for (size_t index = 0; index < sizeof motions / sizeof motions[0]; index++) {
    el_set(editor, EL_BIND, motions[index][0], motions[index][1], NULL);
  }
}
