import Paging

/// Values held open by scripts, by handle; a handle is never reused.
///
/// Files have odd handles, and databases even ones: those of SQLite are not divisible by four, and those with drivers are. So a
/// handle alone identifies its owner.
struct HandleTable<Value> {
  private var values: [Int: Value] = [:]
  private var nextHandle: Int

  private let step: Int

  /// A table whose handles are `first` and every `step`th number after it.
  init(first: Int, step: Int) {
    nextHandle = first
    self.step = step
  }

  /// Throws if the maximum is open.
  func checkRoom() throws(HostFailure) {
    guard values.count < HandleTable.limit else {
      throw HostFailure(
        .invalid,
        "\(HandleTable.limit) are open already: end the loops over them, or close them, before more are opened"
      )
    }
  }

  /// Well below the usual limit of a process (1,024 descriptors); a database takes up to four.
  private static var limit: Int { 128 }

  /// Stores the value and returns its handle.
  mutating func insert(_ value: Value) -> Int {
    defer { nextHandle += step }
    values[nextHandle] = value
    return nextHandle
  }

  /// The value; throws if it is closed.
  func value(_ handle: Int) throws(HostFailure) -> Value {
    guard let value = values[handle] else { throw HostFailure(.invalid, "it is closed already") }
    return value
  }

  /// What is open.
  var all: some Collection<Value> { values.values }

  /// Sums up what the values hold.
  func total(_ held: (Value) -> Int) -> Int { values.values.reduce(0) { $0 + held($1) } }

  /// Removes the value; nil if there is none.
  mutating func remove(_ handle: Int) -> Value? { values.removeValue(forKey: handle) }

  /// Removes the matching values.
  mutating func removeAll(where isUnwanted: (Value) -> Bool) {
    values = values.filter { !isUnwanted($0.value) }
  }
}
