/* The small blocks of a state's memory: tables, closures and short strings come and go by the thousand, on one thread, and Lua
 * says how large each was. Blocks of one size are cut from larger pieces, and those that were given back are used again, the last
 * one first. The pieces live as long as the state, and not among what comes and goes with each page. */
#include "machine.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Bytes of a piece, of which those take room that are used. */
enum { piece_size = 256 << 10 };

struct clua_piece {
  struct clua_piece *before;
  _Alignas(16) char bytes[];
};

/* The size of a block by what is asked for, in steps; 0 for what is none of ours. */
static size_t steps(size_t size) {
  return size <= clua_largest_block ? (size + clua_block_step - 1) / clua_block_step : 0;
}

static void give_back(clua_blocks *blocks, void *block, size_t class) {
  *(void **)block = blocks->free[class];
  blocks->free[class] = block;
}

/* Cuts a block from what is left of the newest piece, or from a new one; NULL without memory. */
static void *cut(clua_blocks *blocks, size_t class) {
  size_t size = class * clua_block_step, left = (size_t)(blocks->end - blocks->next);
  if (left < size) {
    struct clua_piece *piece = mmap(NULL, piece_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (piece == MAP_FAILED) return NULL;
    if (left) give_back(blocks, blocks->next, left / clua_block_step);
    piece->before = blocks->pieces;
    blocks->pieces = piece;
    blocks->next = piece->bytes;
    blocks->end = piece->bytes + (piece_size - sizeof *piece) / clua_block_step * clua_block_step;
  }
  void *block = blocks->next;
  blocks->next += size;
  return block;
}

static void *take(clua_blocks *blocks, size_t class) {
  void *block = blocks->free[class];
  if (!block) return cut(blocks, class);
  blocks->free[class] = *(void **)block;
  return block;
}

void *clua_resize(clua_blocks *blocks, void *block, size_t old_size, size_t new_size) {
  size_t old_class = block ? steps(old_size) : 0, new_class = steps(new_size);
  if (block && old_class == new_class) return new_class ? block : realloc(block, new_size);
  void *moved = new_class ? take(blocks, new_class) : malloc(new_size);
  if (!moved || !block) return moved;
  memcpy(moved, block, old_size < new_size ? old_size : new_size);
  clua_give_back(blocks, block, old_size);
  return moved;
}

void clua_give_back(clua_blocks *blocks, void *block, size_t size) {
  size_t class = steps(size);
  if (!block) return;
  class ? give_back(blocks, block, class) : free(block);
}

void clua_free_blocks(clua_blocks *blocks) {
  for (struct clua_piece *piece = blocks->pieces; piece;) {
    struct clua_piece *before = piece->before;
    munmap(piece, piece_size);
    piece = before;
  }
  *blocks = (clua_blocks){0};
}
