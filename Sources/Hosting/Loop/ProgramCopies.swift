public import Paging

/// The copies of a loop's program that read partitions in its place, each on a thread of its own. Whatever they ask the outside
/// for is asked by the loop, and requests go through the gate of its program: there is one world, one sink and one gate.
///
/// The threads start with the loop, so that they are ready when the first partition comes. Used on the loop's thread.
public final class ProgramCopies {
  /// A copy, used on its own thread only but for `stop`.
  public struct Copy {
    let program: any Program
    let stop: @Sendable () -> Void

    /// A copy; `stop` ends what it computes right now, and is called on any thread.
    public init(_ program: any Program, stop: @escaping @Sendable () -> Void) {
      self.program = program
      self.stop = stop
    }
  }

  private let count: Int
  private let make: @Sendable (Int) throws -> Copy
  private let begin: () -> Void
  private var hasBegun = false
  private var threads: [Int: CopyThread] = [:]
  /// The copies that read partitions, by the calls.
  private var reading: [HostCallID: Int] = [:]
  /// How many of them each copy reads.
  private var loads: [Int: Int] = [:]
  /// The copies that wait for the answers to calls.
  private var callers: [HostCallID: Int] = [:]

  /// So many copies. `make` is called on a copy's own thread, with its number, from 1; `begin` on the loop's thread when the first
  /// partition comes, before any copy gets one.
  public init(count: Int, make: @escaping @Sendable (Int) throws -> Copy, begin: @escaping () -> Void) {
    self.count = count
    self.make = make
    self.begin = begin
  }

  /// Whether no more partitions come.
  private(set) var areDismissed = false

  /// Whether threads are left.
  var areThere: Bool { !threads.isEmpty }

  /// Starts the threads.
  func start(since start: Instant, _ mailbox: Mailbox) {
    for number in 1...count { threads[number] = CopyThread(number, since: start, mailbox, make) }
  }

  /// Has the copy that reads the fewest read a partition; false if there is none left.
  func read(_ partition: Partition, answering id: HostCallID) -> Bool {
    guard let number = threads.keys.sorted().min(by: { loads[$0] ?? 0 < loads[$1] ?? 0 }) else {
      return false
    }
    if !hasBegun { begin() }
    hasBegun = true
    reading[id] = number
    loads[number, default: 0] += 1
    threads[number]?.send(.called(id, .read(partition)))
    return true
  }

  /// A partition is read.
  func finished(_ id: HostCallID) {
    if let number = reading.removeValue(forKey: id) { loads[number, default: 0] -= 1 }
  }

  /// A copy waits for the answer to a call.
  func noteCaller(_ number: Int, of id: HostCallID) { callers[id] = number }

  /// No copy waits for the answer any more; false if none did.
  func forgetCaller(of id: HostCallID) -> Bool { callers.removeValue(forKey: id) != nil }

  /// Passes an answer to the copy that waits for it; false if none does.
  func pass(_ reply: HostReply, to id: HostCallID) -> Bool {
    guard let number = callers.removeValue(forKey: id) else { return false }
    threads[number]?.send(.replied(id, reply))
    return true
  }

  /// A copy is over: the partitions that it did not finish.
  func left(_ number: Int) -> [HostCallID] {
    threads.removeValue(forKey: number)?.finish()
    let unread = reading.filter { $0.value == number }.map(\.key).sorted()
    for id in unread { finished(id) }
    return unread
  }

  /// No more partitions come: lets each copy end when it is done with everything.
  func dismiss() {
    areDismissed = true
    for thread in threads.values { thread.send(.dismissed) }
  }

  /// Ends the copies, whatever they do.
  func stop() {
    for thread in threads.values {
      thread.send(.interrupted)
      thread.stop()
      thread.send(.dismissed)
    }
  }
}

extension HostFailure {
  /// The copy that read a partition has ended before.
  static let copyIsGone = HostFailure(.cancelled, "the thread that read it has ended")
}
