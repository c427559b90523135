/// A value for each side of an item set.
struct PerSide<Value: Sendable>: Sendable {
  private var append: Value
  private var prepend: Value

  init(_ value: Value) {
    append = value
    prepend = value
  }

  subscript(direction: Direction) -> Value {
    get { direction == .prepend ? prepend : append }
    set { if direction == .prepend { prepend = newValue } else { append = newValue } }
  }
}
