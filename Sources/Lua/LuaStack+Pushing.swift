import CJSON
import CLua

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

  /// Pushes `feed.lua:12: ` for the function `level` calls up; empty where there is no line.
  public func pushPlace(level: Int) { clua_push_where(pointer, Int32(clamping: level)) }

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
