import Glibc

/// The keys of items, in order of appearance: the columns of a table.
struct SinkColumns {
  /// All keys, one behind the other, and where each ends.
  private var keys: [UInt8] = []
  private var ends: [Int] = []
  private var places: [[UInt8]: Int] = [:]

  var count: Int { ends.count }

  /// The keys as text.
  var names: [String] {
    ends.indices.map { String(decoding: keys[start(of: $0)..<ends[$0]], as: UTF8.self) }
  }

  private func start(of place: Int) -> Int { place == 0 ? 0 : ends[place - 1] }

  /// The index of a key, or nil. Items mostly have their keys in the same order: `likely` is tried first.
  func place(of member: ItemMembers.Member, likely: Int) -> Int? {
    guard let name = member.plainName else { return places[Array(member.name.utf8)] }
    if likely < ends.count, isEqual(name, at: likely) { return likely }
    return places[Array(name)]
  }

  private func isEqual(_ name: UnsafeRawBufferPointer, at place: Int) -> Bool {
    let start = start(of: place)
    guard name.count == ends[place] - start else { return false }
    guard let text = name.baseAddress else { return true }
    return keys.withUnsafeBytes { name.isEmpty || memcmp(text, $0.baseAddress! + start, name.count) == 0 }
  }

  /// The index of a key by its text, or nil.
  func place(of name: String) -> Int? { places[Array(name.utf8)] }

  /// Appends a new key and returns its index.
  @discardableResult
  mutating func append(_ name: String) -> Int {
    let key = Array(name.utf8)
    places[key] = ends.count
    keys += key
    ends.append(keys.count)
    return ends.count - 1
  }
}
