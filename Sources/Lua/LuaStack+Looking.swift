import CLua
import CLuaJSON

/// Looking at values without calling anything: no metamethod and no code of a script.
extension LuaStack {
  /// What tells one table, function or the like from another; nil for plain values.
  public func identity(at index: Int) -> UInt? {
    clua_identity(pointer, Int32(clamping: index)).map { UInt(bitPattern: $0) }
  }

  /// Whether the value is an integer, and not a float with the same value.
  public func isInteger(at index: Int) -> Bool { clua_is_integer(pointer, Int32(clamping: index)) }

  /// Pushes the metatable of the value at `index`; false, with nothing pushed, where there is none.
  public func pushMetatable(of index: Int) -> Bool { clua_get_metatable(pointer, Int32(clamping: index)) }

  /// Pushes the field with a key of these bytes.
  public func pushField(bytes: UnsafeRawBufferPointer, of index: Int) {
    _ = clua_get_bytes(
      pointer, Int32(clamping: index), bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
  }

  /// Replaces the key on the top with its value in the table at `index`.
  public func pushRaw(of index: Int) {
    let table = absolute(index)
    if isNil(at: -1) { return }
    _ = clua_get_raw(pointer, Int32(clamping: table))
  }

  /// Where a Lua function is: the name of its text, its first and its last line (0 for a whole text); nil for other values.
  public func functionLines(at index: Int) -> (name: String, first: Int, last: Int)? {
    var lines = clua_lines()
    guard clua_function_lines(pointer, Int32(clamping: index), &lines) else { return nil }
    defer { pop() }
    let name = string(at: -1) ?? ""
    return (name.hasPrefix("@") ? String(name.dropFirst()) : name, Int(lines.first), Int(lines.last))
  }

  /// Pushes what the Lua function at `index` holds under this number, from 1, and gives its name; nil, with nothing pushed,
  /// behind the last.
  public func pushUpvalue(_ number: Int, of index: Int) -> String? {
    clua_push_upvalue(pointer, Int32(clamping: index), Int32(clamping: number)).map { String(cString: $0) }
  }

  /// Pushes a table with all fields of the view at `index`; false, with nothing pushed, for any other value.
  public func pushViewFields(of index: Int) -> Bool { clua_push_view_fields(pointer, Int32(clamping: index)) }

  /// Whether the table at `index` has no pairs.
  public func isEmptyTable(at index: Int) -> Bool {
    let table = absolute(index)
    pushNil()
    guard clua_next(pointer, Int32(clamping: table)) else { return true }
    pop(2)
    return false
  }

  /// Pairs of the table at `index`.
  public func pairCount(of index: Int) -> Int { clua_count_pairs(pointer, Int32(clamping: index)) }

  /// Rows of a document that were not made yet, when the value is such a list.
  public func unmadeRows(at index: Int) -> Int? {
    let count = cjson_is_rows(pointer, Int32(clamping: index))
    return count > 0 ? Int(count) : nil
  }

  /// Pushes one of them, from 1; nil where there is none.
  public func pushRow(_ position: Int, of index: Int) {
    if cjson_push_row(pointer, Int32(clamping: index), Int64(position)) != CJSON_OK { pushNil() }
  }
}
