import CLua
import CLuaJSON

/// The stack of one coroutine (or of the state itself), seen from the host. Positions are 1-based, negative ones count
/// from the top. Nothing here can raise; reading a value of another type gives nil.
///
/// ```swift
/// stack.pushTable(fields: 1)
/// stack.setField("size", of: -1, to: .integer(20))
/// stack.field("size", of: -1) { $0.integer(at: $1) }  // 20
/// ```
public struct LuaStack {
  let pointer: OpaquePointer

  /// Values on the stack.
  public var count: Int { Int(clua_top(pointer)) }

  /// What a value is, in the words of Lua: `nil`, `string`, `table`, …; `null` for JSON null.
  public func typeName(at index: Int) -> String {
    if cjson_is_null(pointer, Int32(clamping: index)) != 0 { return "null" }
    if clua_type(pointer, Int32(clamping: index)) == CLUA_NONE { return "nothing" }
    return String(cString: clua_type_name(pointer, Int32(clamping: index)))
  }

  public func isNil(at index: Int) -> Bool {
    let type = clua_type(pointer, Int32(clamping: index))
    return type == CLUA_NIL || type == CLUA_NONE
  }

  public func isNull(at index: Int) -> Bool { cjson_is_null(pointer, Int32(clamping: index)) != 0 }
  public func isTable(at index: Int) -> Bool { clua_type(pointer, Int32(clamping: index)) == CLUA_TABLE }
  public func isFunction(at index: Int) -> Bool {
    clua_type(pointer, Int32(clamping: index)) == CLUA_FUNCTION
  }
  public func isString(at index: Int) -> Bool { clua_type(pointer, Int32(clamping: index)) == CLUA_STRING }

  /// Nil unless the value is a boolean.
  public func boolean(at index: Int) -> Bool? {
    clua_type(pointer, Int32(clamping: index)) == CLUA_BOOLEAN
      ? clua_to_boolean(pointer, Int32(clamping: index)) : nil
  }

  /// What a condition in Lua makes of the value.
  public func truth(at index: Int) -> Bool { clua_to_boolean(pointer, Int32(clamping: index)) }

  /// Nil unless the value is a number; integers are converted.
  public func number(at index: Int) -> Double? {
    clua_type(pointer, Int32(clamping: index)) == CLUA_NUMBER
      ? clua_to_number(pointer, Int32(clamping: index)) : nil
  }

  /// Nil unless the value is an integer, or a float without a fraction that fits.
  public func integer(at index: Int) -> Int64? {
    guard clua_type(pointer, Int32(clamping: index)) == CLUA_NUMBER else { return nil }
    if clua_is_integer(pointer, Int32(clamping: index)) {
      return clua_to_integer(pointer, Int32(clamping: index))
    }
    return Int64(exactly: clua_to_number(pointer, Int32(clamping: index)))
  }

  /// Nil unless the value is a string. One that is not UTF-8 is a fault: what stands for its bytes would stand for others too.
  public func string(at index: Int) -> String? {
    withBytes(at: index) { bytes in
      if let text = String(validating: bytes, as: UTF8.self) { return text }
      clua_fault_of_text(pointer)
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// A string to be shown: invalid UTF-8 becomes U+FFFD. Nil unless the value is a string.
  public func shownString(at index: Int) -> String? {
    withBytes(at: index) { String(decoding: $0, as: UTF8.self) }
  }

  /// The bytes of a string, valid during the call; nil unless the value is a string.
  public func withBytes<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    var length = 0
    guard let bytes = clua_to_string(pointer, Int32(clamping: index), &length) else { return nil }
    return body(UnsafeRawBufferPointer(start: bytes, count: length))
  }

  /// The value as a plain one; nil for tables, functions and the like.
  public func value(at index: Int) -> LuaValue? {
    if isNil(at: index) { return .nil }
    if isNull(at: index) { return .null }
    if let value = boolean(at: index) { return .boolean(value) }
    if clua_is_integer(pointer, Int32(clamping: index)) {
      return .integer(clua_to_integer(pointer, Int32(clamping: index)))
    }
    if let value = number(at: index) { return .number(value) }
    return string(at: index).map { .string($0) }
  }

  /// A text for any value, as `tostring` gives it; but a number has all the digits that tell it from its neighbours.
  public func describe(at index: Int) -> String {
    if number(at: index)?.isFinite == true, let text = try? json(at: index) { return text }
    var length = 0
    let bytes = clua_describe(pointer, Int32(clamping: index), &length)
    defer { pop() }
    return String(decoding: UnsafeRawBufferPointer(start: bytes, count: length), as: UTF8.self)
  }

  /// Whether two values are the same, without metamethods.
  public func areSame(_ left: Int, _ right: Int) -> Bool {
    clua_same(pointer, Int32(clamping: left), Int32(clamping: right))
  }

  public func pop(_ count: Int = 1) { clua_pop(pointer, Int32(clamping: count)) }
  public func truncate(to count: Int) { clua_set_top(pointer, Int32(clamping: count)) }
  public func absolute(_ index: Int) -> Int { Int(clua_absolute(pointer, Int32(clamping: index))) }
  public func insert(at index: Int) { clua_insert(pointer, Int32(clamping: index)) }
  public func remove(at index: Int) { clua_remove(pointer, Int32(clamping: index)) }
  /// Pushes a copy of the value at `index`.
  public func pushCopy(of index: Int) { clua_push_value(pointer, Int32(clamping: index)) }
  /// Whether the host function that runs has said something wrong of the stack, such as a table where there is none. The
  /// script gets it as an error when the function returns; a function that waits has to look before.
  public var hasFault: Bool { clua_has_fault(pointer) }
  /// What that was; empty if there is none.
  public var faultMessage: String { String(cString: clua_fault_message(pointer)) }
  /// Forgets the fault, where it was told in another way.
  public func clearFault() { clua_clear_fault(pointer) }
  /// Whether the value says itself, by `__tostring`, what its text is.
  public func hasText(at index: Int) -> Bool { clua_has_text(pointer, Int32(clamping: index)) }
  /// Room for `count` more values; false when the script has filled the stack.
  public func reserve(_ count: Int) -> Bool { clua_check_stack(pointer, Int32(clamping: count)) }
  /// Moves the `count` values on the top to another stack of the same state.
  public func move(_ count: Int, to other: LuaStack) {
    clua_move(pointer, other.pointer, Int32(clamping: count))
  }
}

/// Pushing values, and keeping them.
extension LuaStack {
  public func pushNil() { clua_push_nil(pointer) }
  public func pushNull() { cjson_push_null(pointer) }
  public func push(_ value: Bool) { clua_push_boolean(pointer, value) }
  public func push(_ value: Int64) { clua_push_integer(pointer, value) }
  public func push(_ value: Int) { clua_push_integer(pointer, Int64(value)) }
  public func push(_ value: Double) { clua_push_number(pointer, value) }

  public func push(_ value: String) {
    var value = value
    value.withUTF8 { push(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// Pushes a string of these bytes, whatever they are.
  public func push(bytes: UnsafeRawBufferPointer) {
    clua_push_string(pointer, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
  }

  public func push(_ value: LuaValue) {
    switch value {
    case .nil: pushNil()
    case .null: pushNull()
    case .boolean(let value): push(value)
    case .integer(let value): push(value)
    case .number(let value): push(value)
    case .string(let value): push(value)
    }
  }

  public func push(_ reference: LuaReference) { _ = clua_push_reference(pointer, reference.number) }

  /// Pushes a value that keeps `owner` alive and tells scripts nothing.
  public func push(owner: AnyObject) {
    clua_push_owner(pointer, Unmanaged.passRetained(owner).toOpaque()) {
      $0.map { Unmanaged<AnyObject>.fromOpaque($0).release() }
    }
  }

  /// The object behind a value pushed with `push(owner:)`.
  public func owner(at index: Int) -> AnyObject? {
    clua_to_owner(pointer, Int32(clamping: index)).map {
      Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue()
    }
  }

  /// Pushes `feed.lua:12: ` for the innermost line of the script, which is in no chunk named `lookahead:…`; empty where there
  /// is none.
  public func pushScriptPlace() { clua_push_script_where(pointer) }

  /// `feed.lua:12` of the function at `index`; empty for functions of the host.
  public func placeOfFunction(at index: Int) -> String {
    clua_push_place(pointer, Int32(clamping: index))
    defer { pop() }
    return string(at: -1) ?? ""
  }

  /// Takes the value off the top and keeps it alive.
  public func popReference(in state: LuaState) -> LuaReference {
    LuaReference(number: clua_reference(pointer), state: state)
  }
}

/// Tables, without metamethods. Keys are texts or positions.
extension LuaStack {
  /// Pushes an empty table with room for elements and fields.
  public func pushTable(elements: Int = 0, fields: Int = 0) {
    clua_new_table(pointer, Int32(clamping: elements), Int32(clamping: fields))
  }

  /// Pushes the field of the table at `index`; nil when there is none.
  public func pushField(_ key: String, of index: Int) {
    _ = key.withCString { clua_get_field(pointer, Int32(clamping: index), $0) }
  }

  /// Takes the value off the top and sets it.
  public func setField(_ key: String, of index: Int) {
    key.withCString { clua_set_field(pointer, Int32(clamping: index), $0) }
  }

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

extension LuaStack {
  /// Whether the value says what went wrong: a text, a number, or a table that has a message or a code, or is shown as one.
  func isError(at index: Int) -> Bool {
    if isTable(at: index) {
      return field("message", of: index) { $0.string(at: $1) != nil }
        || field("code", of: index) { !$0.isNil(at: $1) }
        || hasText(at: index)
    }
    return !isNil(at: index) && !["boolean", "function", "thread"].contains(typeName(at: index))
  }
}
