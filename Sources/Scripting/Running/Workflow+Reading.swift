import Items
import Lua
import Paging

/// Loops of a script over a source: the next page when it is there, the end, or the error.
extension Workflow {
  /// The next page's items as a list and their number, or nothing at the end; waits.
  func nextItems(_ reader: FeedReader, _ function: HostFunctionCall) throws -> HostFunctionAnswer {
    if !reader.queue.isEmpty { return .results(try pushNext(reader, function.stack)) }
    if let ending = reader.ending {
      guard case .failed(let error) = ending else {
        function.stack.pushNil()
        return .results(1)
      }
      library.push(error, on: function.stack)
      throw HostFunctionError.value
    }
    guard reader.waiting == nil else {
      throw HostFunctionError.misuse(
        "\(function.name): another task waits in this loop: give each task a loop of its own")
    }
    reader.waiting = try waitingTask(function)
    if reader.handedOut > 0 { statistics.stalls += 1 }
    return .waits
  }

  /// Resumes the loop that waits for this feed, when there is something for it.
  func offer(_ reader: FeedReader) {
    guard let task = reader.waiting, !reader.queue.isEmpty || reader.ending != nil else { return }
    reader.waiting = nil
    resume(task) { [unowned self] stack throws(LuaError) in
      if !reader.queue.isEmpty { return try pushNext(reader, stack) }
      if case .failed(let error)? = reader.ending { throw error }
      stack.pushNil()
      return 1
    }
  }

  private func pushNext(_ reader: FeedReader, _ stack: LuaStack) throws(LuaError) -> Int {
    let items = reader.queue.removeFirst()
    reader.pageStart = reader.handedOut
    reader.handedOut += items.count
    try push(items, on: stack)
    stack.push(items.count)
    return 2
  }

  /// Pushes items as a list whose rows are built when the script touches them.
  func push(_ items: [Item], on stack: LuaStack) throws(LuaError) {
    let size = items.reduce(2) { $0 + $1.bytes.count + 1 }
    let text = UnsafeMutableRawPointer.allocate(byteCount: size + Bytes.wantedPadding, alignment: 16)
    var end = 0
    func put(_ byte: UInt8) {
      text.storeBytes(of: byte, toByteOffset: end, as: UInt8.self)
      end += 1
    }
    put(UInt8(ascii: "["))
    for (position, item) in items.enumerated() {
      if position > 0 { put(UInt8(ascii: ",")) }
      item.bytes.withUnsafeBytes {
        if let start = $0.baseAddress { (text + end).copyMemory(from: start, byteCount: $0.count) }
      }
      end += item.bytes.count
    }
    put(UInt8(ascii: "]"))
    (text + end).initializeMemory(as: UInt8.self, repeating: 0, count: Bytes.wantedPadding)
    let bytes = Bytes(adopting: text, count: end, capacity: size + Bytes.wantedPadding) { $0.deallocate() }
    try push(json: bytes, on: stack)
  }

  /// Pushes the value of a JSON text, read in place.
  func push(json bytes: Bytes, on stack: LuaStack) throws(LuaError) {
    let owner = BytesOwner(bytes, on: state.account)
    do throws(JSONError) {
      try bytes.withUnsafeBytes { text throws(JSONError) in
        try stack.pushJSON(text, padding: bytes.padding, owner: owner)
      }
    } catch {
      throw LuaError(error)
    }
  }
}

/// Keeps bytes alive for a script, on its account: the body of an answer, or a document that is read in place.
final class BytesOwner {
  let bytes: Bytes
  private let account: LuaAccount

  init(_ bytes: Bytes, on account: LuaAccount) {
    self.bytes = bytes
    self.account = account
    account.hold(bytes.count)
  }

  deinit { account.hold(-bytes.count) }
}

extension LuaError {
  init(_ error: JSONError) {
    self.init(error.isMemory ? .stopped(.memory) : .runtime, error.message, code: "parse")
  }
}
