import CJSON
import CLua

/// Tables, without metamethods. Keys are texts or positions.
extension LuaStack {
  /// Pushes an empty table with room for so many elements and fields.
  public func pushTable(elements: Int = 0, fields: Int = 0) {
    clua_new_table(pointer, Int32(clamping: elements), Int32(clamping: fields))
  }

  /// Pushes the field of the table at `index`; nil when there is none.
  public func pushField(_ key: String, of index: Int) {
    _ = clua_get_field(pointer, Int32(clamping: index), key)
  }

  /// Takes the value off the top and sets it.
  public func setField(_ key: String, of index: Int) { clua_set_field(pointer, Int32(clamping: index), key) }

  public func setField(_ key: String, of index: Int, to value: LuaValue) {
    let table = absolute(index)
    push(value)
    setField(key, of: table)
  }

  /// Pushes element `position` (1-based) of the table at `index`.
  public func pushElement(_ position: Int, of index: Int) {
    _ = clua_get_index(pointer, Int32(clamping: index), Int64(position))
  }

  /// Takes the value off the top and makes it element `position` (1-based).
  public func setElement(_ position: Int, of index: Int) {
    clua_set_index(pointer, Int32(clamping: index), Int64(position))
  }

  /// Pushes a list, each element by `push`.
  public func push<Element>(list: [Element], _ push: (LuaStack, Element) -> Void) {
    pushTable(elements: list.count)
    for (position, element) in list.enumerated() {
      push(self, element)
      setElement(position + 1, of: -2)
    }
  }

  /// Elements of the table at `index`; rows of a document count without being built.
  public func length(of index: Int) -> Int { Int(clua_length(pointer, Int32(clamping: index))) }

  /// Calls `body` for each pair, with the key at -2 and the value at -1; `body` leaves the stack as it was.
  public func forEachPair(of index: Int, _ body: (LuaStack) -> Void) {
    let table = absolute(index)
    _ = cjson_materialize(pointer, Int32(clamping: table))
    pushNil()
    while clua_next(pointer, Int32(clamping: table)) {
      body(self)
      pop()
    }
  }

  /// Reads a field with `read`, which gets its place; the stack is as before afterwards.
  public func field<Result>(_ key: String, of index: Int, _ read: (LuaStack, Int) -> Result) -> Result {
    pushField(key, of: index)
    defer { pop() }
    return read(self, -1)
  }

  /// Takes a table off the top and makes it the metatable of the value at `index`.
  public func setMetatable(of index: Int) { clua_set_metatable(pointer, Int32(clamping: index)) }
}
