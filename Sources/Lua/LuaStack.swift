import CJSON
import CLua

/// The stack of one coroutine (or of the state itself), seen from the host. Positions are 1-based, negative ones count
/// from the top. Nothing here can raise; reading a value of another type gives nil.
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

  /// Nil unless the value is a string; invalid UTF-8 becomes U+FFFD.
  public func string(at index: Int) -> String? {
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

  /// A text for any value, as `tostring` gives it.
  public func describe(at index: Int) -> String {
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
