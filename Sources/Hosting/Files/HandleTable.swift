import Paging

/// What scripts hold open, by number; a number is never used twice.
///
/// Files have the odd numbers and databases the even ones, so that a handle alone says whose it is.
struct HandleTable<Value> {
  private var values: [Int: Value] = [:]
  private var nextHandle: Int

  /// A table whose handles are `first` and every second number after it.
  init(first: Int) { nextHandle = first }

  /// Fails when so many are open that there is no room for another one.
  func checkRoom() throws(HostFailure) {
    guard values.count < HandleTable.limit else {
      throw HostFailure(
        .invalid,
        "\(HandleTable.limit) are open already: end the loops over them, or close them, before more are opened"
      )
    }
  }

  /// Well below what a process may have open (1,024 where nobody says otherwise); a database takes up to four.
  private static var limit: Int { 128 }

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

  /// Adds up what the values hold.
  func total(_ held: (Value) -> Int) -> Int { values.values.reduce(0) { $0 + held($1) } }

  /// Forgets the value; nil when there is none.
  mutating func remove(_ handle: Int) -> Value? { values.removeValue(forKey: handle) }

  /// Forgets the values that fit.
  mutating func removeAll(where isUnwanted: (Value) -> Bool) {
    values = values.filter { !isUnwanted($0.value) }
  }
}
