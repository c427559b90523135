import Foundation
import Hosting
import Paging
import Testing

@Suite struct LoopInputTests {
  @Test(arguments: [false, true])
  func `a program is woken as long as there is something to read, also while an exchange is under way`(
    isBusy: Bool
  ) throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let server = ScriptedServer(.sendAndHang(Data()))
    let loop = LiveLoop.permissive()
    loop.input = ends[0]
    var read: [UInt8] = []
    let writing = ends[1]
    let writer = Thread { _ = Foundation.write(writing, "abc", 3) }

    loop.run(
      ClosureProgram { event, _ in
        switch event {
        case .started:
          writer.start()
          let request = HTTPRequest(url: server.url(), timeout: .seconds(60))
          return isBusy ? [.call(HostCallID(number: 1), .http(request))] : []
        case .woke:
          var byte: UInt8 = 0
          if Foundation.read(ends[0], &byte, 1) == 1 { read.append(byte) }
          return read.count == 3 ? [.finished] : []
        case .replied, .interrupted, .called, .calledOff, .dismissed: return [.finished]
        }
      })

    #expect(read == Array("abc".utf8))
  }
}
