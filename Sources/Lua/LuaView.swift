import CLua

/// A table of host values that a policy reads; reused for every decision.
///
/// Fields are named once, in order, and set by position before each call. Only those that a policy was seen to read, and
/// that have changed since, cost anything to show. A script that keeps the table sees it change, and end with this object.
///
/// ```swift
/// let view = LuaView(state, names: ["now", "hint"])
/// view.set(0, 2.5)
/// view.set(1, true)
/// ```
public final class LuaView {
  let pointer: OpaquePointer
  private let state: LuaState
  private let names: UnsafeMutablePointer<UnsafePointer<CChar>?>
  private let count: Int
  private let cells: UnsafeMutablePointer<clua_cell>

  public init(_ state: LuaState, names: [String]) {
    self.state = state
    count = names.count
    self.names = .allocate(capacity: names.count)
    for (position, name) in names.enumerated() { self.names[position] = UnsafePointer(copy(of: name)) }
    guard let pointer = clua_new_view(state.pointer, self.names, Int32(clamping: count)) else {
      preconditionFailure("no memory for a view")
    }
    self.pointer = pointer
    cells = clua_view_cells(pointer)
  }

  deinit {
    clua_free_view(state.pointer, pointer)
    for position in 0..<count { UnsafeMutablePointer(mutating: names[position])?.deallocate() }
    names.deallocate()
  }

  @inline(__always) public func set(_ position: Int, _ value: Bool) {
    cells[position].kind = CLUA_CELL_BOOLEAN
    cells[position].value.boolean = value
  }

  @inline(__always) public func set(_ position: Int, _ value: Int) {
    cells[position].kind = CLUA_CELL_INTEGER
    cells[position].value.integer = Int64(value)
  }

  @inline(__always) public func set(_ position: Int, _ value: Double) {
    cells[position].kind = CLUA_CELL_NUMBER
    cells[position].value.number = value
  }

  /// Sets an integer, or nothing.
  @inline(__always) public func set(_ position: Int, _ value: Int?) {
    guard let value else { return cells[position].kind = CLUA_CELL_NIL }
    set(position, value)
  }

  /// Sets a text that lives for ever.
  @inline(__always) public func set(_ position: Int, _ value: StaticString) {
    cells[position].kind = CLUA_CELL_TEXT
    cells[position].value.text = UnsafeRawPointer(value.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  /// Shows another view as a field; it must live as long as this one.
  public func set(_ position: Int, _ value: LuaView) {
    cells[position].kind = CLUA_CELL_VIEW
    cells[position].value.view = value.pointer
  }
}

private func copy(of text: String) -> UnsafeMutablePointer<CChar> {
  let bytes = Array(text.utf8CString)
  let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
  copy.initialize(from: bytes, count: bytes.count)
  return copy
}

extension LuaState {
  /// Calls `function(view, parameters, state)` within `instructions`, or without a view, `function(parameters)`; one
  /// result is on the top of the stack afterwards.
  public func callPolicy(
    _ function: LuaReference, view: LuaView?, parameters: LuaReference, state: LuaReference? = nil,
    instructions: Int
  ) throws(LuaError) {
    let status = clua_call_policy(
      pointer, function.number, view?.pointer, parameters.number, state?.number ?? -1,
      Int32(clamping: instructions))
    if status != CLUA_OK { throw popError(status) }
  }
}
