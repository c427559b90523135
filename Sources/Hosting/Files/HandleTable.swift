import Paging

/// What scripts hold open, by number; a number is never used twice.
///
/// Files have the odd numbers and databases the even ones, so that a handle alone says whose it is.
struct HandleTable<Value> {
  private var values: [Int: Value] = [:]
  private var nextHandle: Int

  /// A table whose handles are `first` and every second number after it.
  init(first: Int) { nextHandle = first }

  /// Keeps the value and names it.
  mutating func insert(_ value: Value) -> Int {
    defer { nextHandle += 2 }
    values[nextHandle] = value
    return nextHandle
  }

  /// The value, or a failure that says it is closed.
  func value(_ handle: Int) throws(HostFailure) -> Value {
    guard let value = values[handle] else { throw HostFailure(.invalid, "it is closed already") }
    return value
  }

  /// Forgets the value; nil when there is none.
  mutating func remove(_ handle: Int) -> Value? { values.removeValue(forKey: handle) }

  /// Forgets the values that fit.
  mutating func removeAll(where isUnwanted: (Value) -> Bool) {
    values = values.filter { !isUnwanted($0.value) }
  }
}
