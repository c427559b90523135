/// Reads runs from front to back, in pieces of any length.
struct RunReader {
  private let runs: [Arrangement.Run]
  private var index = 0
  private var offset = 0

  init(_ runs: [Arrangement.Run]) { self.runs = runs }

  /// Hands on that many items; false when there are not enough left.
  mutating func take(_ count: Int, into result: inout [Arrangement.Run]) -> Bool {
    var wanted = count
    while wanted > 0 {
      guard index < runs.count else { return false }
      let run = runs[index]
      let length = min(wanted, run.range.count - offset)
      result.extend(by: run[offset..<offset + length])
      wanted -= length
      offset += length
      if offset == run.range.count {
        index += 1
        offset = 0
      }
    }
    return true
  }

  /// Hands on what is left.
  mutating func takeAll(into result: inout [Arrangement.Run]) {
    while index < runs.count {
      let run = runs[index]
      result.extend(by: run[offset..<run.range.count])
      index += 1
      offset = 0
    }
  }
}
