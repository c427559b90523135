import Lua
import Testing

@Suite struct JSONOwnerTests {
  /// A text with room behind it, whose life is counted.
  private final class Page {
    let bytes: UnsafeMutableRawBufferPointer
    let count: Int
    private let tally: Tally

    init(_ text: String, _ tally: Tally) {
      count = text.utf8.count
      bytes = .allocate(byteCount: count + 64, alignment: 1)
      _ = bytes.initializeMemory(as: UInt8.self, repeating: 0)
      bytes.copyBytes(from: Array(text.utf8))
      self.tally = tally
      tally.living += 1
    }

    deinit {
      bytes.deallocate()
      tally.living -= 1
    }

    var text: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[0..<count]) }
  }

  let tally = Tally()
  let state = LuaState()

  private func push(_ text: String) throws {
    let page = Page(text, tally)
    try state.stack.pushJSON(page.text, padding: 64, owner: page)
  }

  @Test func `a text lives as long as its rows`() throws {
    try push(RowsCase.document)
    state.collect()
    #expect(tally.living == 1)
    #expect(try state.stack.json(at: -1) == RowsCase.document)

    state.stack.pop()
    state.collect()

    #expect(tally.living == 0)
  }

  @Test func `a text without rows is let go at once`() throws {
    try push(#"{"a":[1,2],"b":"text"}"#)

    #expect(tally.living == 0)
    #expect(try state.stack.json(at: -1) == #"{"a":[1,2],"b":"text"}"#)
  }

  @Test(arguments: ["", "[", "[{\"a\":}]", "{\"a\":1} x"]) func `a text that is no JSON is let go at once`(
    _ text: String
  )
    throws
  {
    #expect(throws: JSONError.self) { try push(text) }
    #expect(tally.living == 0)
  }

  @Test func `a text is let go when the state is closed`() throws {
    let tally = tally
    func use() throws {
      let state = LuaState()
      let page = Page(RowsCase.document, tally)
      try state.stack.pushJSON(page.text, padding: 64, owner: page)
      #expect(tally.living == 1)
    }
    try use()

    #expect(tally.living == 0)
  }

  @Test func `a thousand texts come and go`() throws {
    for number in 0..<1000 {
      try push("[{\"id\":\(number)}]")
      if number % 2 == 0 { state.stack.forEachPair(of: -1) { _ in } }
      state.stack.pop()
    }
    state.collect()

    #expect(tally.living == 0)
  }
}
