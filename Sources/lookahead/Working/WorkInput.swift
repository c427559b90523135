import Glibc

/// The orders on a worker's standard input, line by line.
struct WorkInput {
  private var rest: [UInt8] = []
  private var lines = 0
  private(set) var isAtEnd = false

  /// What has come; to be called when there is something to read.
  mutating func read() throws(WorkOrder.Mistake) -> [WorkOrder] {
    var room = [UInt8](repeating: 0, count: 1 << 16)
    let count = Glibc.read(STDIN_FILENO, &room, room.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    rest += room.prefix(max(0, count))
    if count <= 0 {
      isAtEnd = true
      if !rest.isEmpty { rest.append(UInt8(ascii: "\n")) }
    }
    var orders: [WorkOrder] = []
    guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let whole = rest[...end]
    rest = Array(rest[(end + 1)...])
    for line in whole.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast() {
      lines += 1
      let text = String(decoding: line, as: UTF8.self)
      guard text.contains(where: { !$0.isWhitespace }) else { continue }
      do throws(WorkOrder.Mistake) { orders.append(try WorkOrder(text)) } catch {
        throw WorkOrder.Mistake(text: "standard input, line \(lines): \(error.text)")
      }
    }
    return orders
  }

  /// Nothing more is read.
  mutating func end() { isAtEnd = true }
}
