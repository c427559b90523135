import Items

/// A room in memory, for one thread, which fails a test where what is read was not written.
final class MemoryRoom: SpillRoom, @unchecked Sendable {
  let leastSpilled: Int
  var isFull: Bool
  /// The bytes that were reserved; nil is nobody's.
  private(set) var areas: [[UInt8]?] = []
  private let areaLimit: Int

  init(leastSpilled: Int, areaLimit: Int = .max, isFull: Bool = false) {
    (self.leastSpilled, self.areaLimit, self.isFull) = (leastSpilled, areaLimit, isFull)
  }

  func takeArea() -> Int? {
    guard areas.count < areaLimit else { return nil }
    areas.append([])
    return areas.count - 1
  }

  func giveBack(area: Int) { areas[area] = nil }

  func reserve(_ count: Int, inArea area: Int) -> Bool {
    guard !isFull else { return false }
    areas[area]! += [UInt8](repeating: 0xEE, count: max(0, count - areas[area]!.count))
    return true
  }

  func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int, inArea area: Int) {
    bytes.copyBytes(from: areas[area]![offset..<offset + bytes.count])
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int, inArea area: Int) {
    areas[area]!.replaceSubrange(offset..<offset + bytes.count, with: bytes)
  }
}
