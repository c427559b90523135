import Foundation
import Hosting
import Items
import Paging
import Synchronization
import Testing

@Suite struct SinkFailureTests {
  private let folder = TemporaryFolder()

  @Test(arguments: SinkFormat.allCases)
  func `a missing folder is named`(format: SinkFormat) {
    let path = folder.file("no/such/out.\(format)")

    let failure = #expect(throws: HostFailure.self) { try makeSink(SinkConfiguration(path: path)) }

    #expect(failure?.code == .notFound)
    #expect(failure?.message == "can't write \(path): the folder \(folder.file("no/such")) does not exist")
  }

  @Test(arguments: [SinkFormat.ndjson, .json, .csv])
  func `a full disk is reported, and answered to all deliveries after it`(format: SinkFormat) throws {
    let sink = try makeSink(SinkConfiguration(path: "/dev/full", format: format))
    let full = HostFailure(.io, "can't write /dev/full: no space left on device")

    #expect(sink.answer([item(1, "{\"a\":1}")]) == .done)
    let report = sink.finish()

    #expect(report.failure == full)
    #expect(report.items == [:])
    #expect(!report.isClosedPipe)
    #expect(sink.answer([item(2, "{\"a\":2}")]) == .failed(full))
    #expect(sink.finish() == report)
  }

  @Test func `a finished sink takes no more`() throws {
    let sink = try makeSink(SinkConfiguration(path: folder.file("a.ndjson")))
    let report = sink.finish()

    #expect(sink.answer([item(1, "{}")]) == .failed(HostFailure(.invalid, "the sink is closed already")))
    #expect(sink.finish() == report)
  }

  @Test func `a reader that goes away is no failure`() throws {
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let sink = try makeSink(SinkConfiguration(path: pipe))
    close(reader)

    sink.answer([item(1, "{}")])
    let report = sink.finish()

    #expect(report.isClosedPipe)
    #expect(report.failure == nil)
    #expect(sink.answer([item(2, "{}")]).failure?.message == "can't write \(pipe): broken pipe")
  }

  @Test func `who delivers waits while 2 MB are to be written, and no longer`() throws {
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDWR)
    let sink = try makeSink(SinkConfiguration(path: pipe))
    let large = item(1, "\"\(String(repeating: "x", count: 3 << 18))\"")
    let answers = Mutex<[HostReply]>([])
    let allAnswered = DispatchSemaphore(value: 0)

    for _ in 1...4 {
      sink.deliver(Delivery(items: [large])) { reply in
        if answers.withLock({
          $0.append(reply)
          return $0.count == 4
        }) {
          allAnswered.signal()
        }
      }
    }
    #expect(answers.withLock { $0 } == [.done, .done, .done])
    var room = [UInt8](repeating: 0, count: 1 << 16)
    func readLarge(_ count: Int) {
      var rest = count * (large.bytes.count + 1)
      while rest > 0 { rest -= read(reader, &room, min(rest, room.count)) }
    }
    // Half of it is still to be written then: nobody reads it before the answer.
    readLarge(2)
    #expect(allAnswered.wait(timeout: .now() + .seconds(60)) == .success)
    readLarge(2)

    #expect(answers.withLock { $0 } == [.done, .done, .done, .done])
    #expect(sink.finish().items == ["items": 4])
    close(reader)
  }

  @Test func `a full disk is answered to a delivery that waits`() throws {
    let pipe = folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    let sink = try makeSink(SinkConfiguration(path: pipe))
    let large = item(1, "\"\(String(repeating: "x", count: 9 << 20))\"")

    #expect(sink.answer([large]) == .done)
    let late = Mutex<HostReply?>(nil)
    sink.deliver(Delivery(items: [large])) { reply in late.withLock { $0 = reply } }
    close(reader)
    #expect(sink.finish().isClosedPipe)

    #expect(late.withLock { $0?.failure?.message } == "can't write \(pipe): broken pipe")
  }

  @Test(arguments: [SinkFormat.csv, .sqlite])
  func `an item that is not valid JSON is an error`(format: SinkFormat) throws {
    let sink = try makeSink(SinkConfiguration(path: folder.file("out.\(format)"), format: format))

    sink.answer([item(1, "{\"id\":1}")])
    sink.answer([item(2, "{\"id\":2")])
    let report = sink.finish()

    #expect(report.failure?.code == .parse)
    #expect(report.failure?.message.hasSuffix("the item 2 is not valid JSON") == true)
    #expect(report.items == ["items": 1])
  }
}
