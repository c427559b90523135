// Compiles the prelude at build time, so that no start of the program has to: PreludeCompiler OUTPUT.swift NAME.lua…
//
// The output is a Swift file with the bytes of each chunk, which only the Lua of this build loads. Lines and names stay in it, for the
// places in errors and tracebacks.
#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <stdio.h>
#include <string.h>

static int write_bytes(lua_State *L, const void *bytes, size_t count, void *output) {
  (void)L;
  for (size_t i = 0; i < count; i++) {
    if (fprintf(output, "%d,", ((const unsigned char *)bytes)[i]) < 0) return 1;
  }
  return 0;
}

// Writes one chunk; false if it is no Lua, or if it can't be written.
static int compile(lua_State *L, const char *path, FILE *output) {
  const char *slash = strrchr(path, '/');
  const char *file = slash ? slash + 1 : path;
  size_t length = strlen(file) - strlen(".lua");
  FILE *input = fopen(path, "rb");
  if (!input) return 0;
  static char text[1 << 20];
  size_t count = fread(text, 1, sizeof text, input);
  int is_whole = feof(input) && !ferror(input);
  fclose(input);
  if (!is_whole) return 0;
  const char *name = lua_pushfstring(L, "@lookahead:%s", file);
  if (luaL_loadbufferx(L, text, count, name, "t") != LUA_OK) {
    fprintf(stderr, "%s: error: %s\n", path, lua_tostring(L, -1));
    return 0;
  }
  fprintf(output, "  static let %.*s: [UInt8] = [", (int)length, file);
  int is_written = lua_dump(L, write_bytes, output, 0) == 0;
  fprintf(output, "]\n");
  lua_settop(L, 0);
  return is_written;
}

int main(int count, char **arguments) {
  if (count < 2) return 64;
  FILE *output = fopen(arguments[1], "w");
  lua_State *L = luaL_newstate();
  if (!output || !L) return 73;
  fprintf(output, "/// The chunks of the prelude, as Lua has compiled them.\nenum CompiledPrelude {\n");
  for (int i = 2; i < count; i++) {
    if (!compile(L, arguments[i], output)) {
      fprintf(stderr, "error: %s can't be compiled\n", arguments[i]);
      return 65;
    }
  }
  fprintf(output, "}\n");
  lua_close(L);
  return fclose(output) == 0 ? 0 : 73;
}
