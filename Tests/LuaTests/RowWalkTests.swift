import Lua
import Testing

/// Loops over the members of rows.
@Suite struct RowWalkTests {
  /// A table has its own order, which changes as it gets members; whether one comes again by that depends on where Lua has its texts.
  @Test func `a walk tells each member once, whatever is read meanwhile`() throws {
    let members = (1...40).map { "\"m\($0)\":\($0)" }.joined(separator: ",")
    for others in 1...24 {
      let state = LuaState()
      state.stack.setLazyRows(true)
      try state.pushJSON("[{\(members)}]")
      state.setGlobal("rows")

      let told = try state.run(
        """
        local row, told, count = rows[1], {}, 0
        for n = 1, \(others) do row["other" .. n] = n end
        for key in pairs(row) do
          assert(not told[key], key)
          told[key], count = true, count + 1
          if key:find("^other") then local _ = row["m" .. count % 40 + 1] end
        end
        return count
        """)

      #expect(told == .integer(Int64(40 + others)))
    }
  }
}
