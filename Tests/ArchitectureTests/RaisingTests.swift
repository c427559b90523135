import Testing

/// A Lua error leaves frames without unwinding them: where Swift has called, none may be raised outside of `lua_pcall`.
@Suite struct RaisingTests {
  /// What raises for more than memory, by Lua's manual; the host is never refused memory outside of a protected call.
  private static let raising: Set = [
    "lua_arith", "lua_call", "lua_callk", "lua_closeslot", "lua_compare", "lua_concat", "lua_error",
    "lua_getfield",
    "lua_getglobal", "lua_geti", "lua_gettable", "lua_len", "lua_next", "lua_register", "lua_setfield",
    "lua_setglobal",
    "lua_seti", "lua_settable", "lua_toclose", "lua_yield", "lua_yieldk", "luaL_addvalue", "luaL_argcheck",
    "luaL_argerror", "luaL_argexpected", "luaL_callmeta", "luaL_checkany", "luaL_checkinteger",
    "luaL_checklstring",
    "luaL_checknumber", "luaL_checkoption", "luaL_checkstack", "luaL_checkstring", "luaL_checktype",
    "luaL_checkudata",
    "luaL_checkversion", "luaL_error", "luaL_getsubtable", "luaL_len", "luaL_newlib", "luaL_newmetatable",
    "luaL_opt", "luaL_optinteger", "luaL_optlstring", "luaL_optnumber", "luaL_optstring", "luaL_requiref",
    "luaL_setfuncs", "luaL_tolstring", "luaL_typeerror",
  ]

  /// The one place where a raising function is called unprotected: the key that would make it raise is refused before.
  private static let reasoned: Set = ["clua_next → lua_next"]

  @Test(arguments: [("CLua", "clua_"), ("CLuaJSON", "cjson_")])
  func `no way leads from Swift to a function that raises`(_ target: String, _ prefix: String) {
    let sources = CTarget(target, prefix: prefix)

    let ways = sources.ways(to: Self.raising)
      .filter { way in !Self.reasoned.contains { way.hasSuffix($0) } }

    #expect(ways == [])
    #expect(sources.entries.count > 10)
    #expect(
      sources.entries.subtracting(sources.calls.keys) == [], "entries that were not found in the sources")
  }

  @Test func `the table of ways sees one that is there`() {
    #expect(CTarget("CLua").ways(to: ["lua_next"]).contains("clua_next → lua_next"))
    #expect(CTarget("CLua").ways(to: ["lua_rawget"]).contains("clua_next → is_key → lua_rawget"))
    #expect(!CTarget("CLua").ways(to: ["luaL_ref"]).isEmpty)
  }

  @Test func `only the C side includes Lua`() {
    let swift = Repository.files(below: "Sources", endings: ["swift"])
    let headers = Repository.files(below: "Sources", endings: ["h"]).filter { $0.path.contains("/include/") }

    #expect(swift.filter { $0.target != "Lua" && $0.imports.contains("CLua") }.map(\.path) == [])
    #expect(headers.filter { file in file.includes.contains { $0.contains("lua") } }.map(\.path) == [])
  }
}
