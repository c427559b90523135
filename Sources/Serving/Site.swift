import NIOCore
import NIOHTTP1

/// What is served, and to whom it is told as it changes: used on its event loop alone.
///
/// Of the news, a browser that is slow gets the newest when it has taken the one before; one that takes nothing for a while is
/// let go.
final class Site: @unchecked Sendable {
  /// Nil until it is known where it is served.
  var admission: Admission?
  var metrics: ByteBuffer?
  let page: (String) -> String
  private(set) var state: ByteBuffer?
  private let loop: any EventLoop
  private var listeners: [ObjectIdentifier: Listener] = [:]
  private var isOver = false
  /// Connections, with and without a request.
  private var connections = 0
  private static let mostConnections = 64
  /// A browser that takes nothing for so long is gone.
  private static let patience = TimeAmount.seconds(10)

  /// A browser that is told the news; used on the event loop alone, too.
  private final class Listener: @unchecked Sendable {
    let channel: any Channel
    /// Since when it has not taken what it was told; nil if it has.
    var behindSince: NIODeadline?
    var isNewer = false

    init(_ channel: any Channel) { self.channel = channel }
  }

  init(_ loop: any EventLoop, page: @escaping (String) -> String) {
    self.loop = loop
    self.page = page
  }

  /// Whether one more may connect.
  func connected() -> Bool {
    connections += 1
    return connections <= Self.mostConnections
  }

  func disconnected(_ channel: any Channel) {
    connections -= 1
    listeners[ObjectIdentifier(channel)] = nil
  }

  /// Whether the run goes on, and has been heard of.
  var isReady: Bool { state != nil && !isOver }

  func publish(state bytes: [UInt8]) {
    state = ByteBuffer(bytes: bytes)
    for listener in listeners.values { tell(listener) }
  }

  /// Tells this channel the state now, and whenever it changes.
  func listen(_ channel: any Channel) {
    let listener = Listener(channel)
    listeners[ObjectIdentifier(channel)] = listener
    if state != nil { tell(listener) }
  }

  private func tell(_ listener: Listener) {
    let now = NIODeadline.now()
    if let since = listener.behindSince {
      listener.isNewer = true
      if now - since > Self.patience { listener.channel.close(promise: nil) }
      return
    }
    listener.behindSince = now
    listener.isNewer = false
    send("state", state ?? ByteBuffer(), to: listener.channel).whenComplete { [weak self, weak listener] _ in
      guard let self, let listener else { return }
      listener.behindSince = nil
      if listener.isNewer { tell(listener) }
    }
  }

  /// Tells everybody that the run is over, or that nothing more is heard of it; done when they know.
  func end(isOver: Bool) -> EventLoopFuture<Void> {
    self.isOver = true
    let told = listeners.values.map { listener in
      let last = listener.isNewer ? send("state", state ?? ByteBuffer(), to: listener.channel) : nil
      return (last ?? loop.makeSucceededVoidFuture()).flatMap { [self] in
        send(isOver ? "end" : "lost", ByteBuffer(string: "{}"), to: listener.channel)
      }.flatMap { listener.channel.writeAndFlush(HTTPServerResponsePart.end(nil)) }
        .flatMap { listener.channel.close() }
    }
    return EventLoopFuture.andAllComplete(told, on: loop)
  }

  /// An event of a stream; done when the system has taken it.
  private func send(_ event: String, _ data: ByteBuffer, to channel: any Channel) -> EventLoopFuture<Void> {
    var buffer = channel.allocator.buffer(capacity: data.readableBytes + 32)
    buffer.writeString("event: \(event)\ndata: ")
    buffer.writeImmutableBuffer(data)
    buffer.writeString("\n\n")
    return channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(buffer)))
  }
}
