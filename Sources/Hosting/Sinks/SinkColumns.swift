/// The keys of items, in the order in which they appeared: the columns of a table.
struct SinkColumns {
  private var keys: [[UInt8]] = []
  private var places: [[UInt8]: Int] = [:]

  var count: Int { keys.count }

  /// The keys as text.
  var names: [String] { keys.map { String(decoding: $0, as: UTF8.self) } }

  /// The place of a key, or nil. Items mostly have their keys in one order: the place that is `likely` is tried first.
  func place(of key: JSONSlice, likely: Int) -> Int? {
    guard key.kind == .text(isEscaped: false) else { return places[Array(key.string.utf8)] }
    if likely < keys.count, key.bytes.elementsEqual(keys[likely]) { return likely }
    return places[Array(key.bytes)]
  }

  /// The place of a key by its text, or nil.
  func place(of name: String) -> Int? { places[Array(name.utf8)] }

  /// Adds a key that is not there, at the end, and says its place.
  @discardableResult
  mutating func append(_ name: String) -> Int {
    let key = Array(name.utf8)
    places[key] = keys.count
    keys.append(key)
    return keys.count - 1
  }
}
