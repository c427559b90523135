import CCage
import Glibc
import Synchronization

/// A child process outside the cage that asks a person at the terminal for what no option allows, and opens what was
/// allowed. A script that breaks out of Lua can ask, too, but not answer. It ends with the process, however that ends.
public final class Asker: Sendable {
  /// The asker of this process, if any.
  public static var current: Asker? { shared.withLock { $0 } }

  /// Whether there is a terminal to ask at, which is this run's now.
  public static var isPossible: Bool { QuestionTerminal() != nil }

  private static let shared = Mutex<Asker?>(nil)
  private let broker: Mutex<Reference?>

  /// A pointer used only under the lock.
  private struct Reference: @unchecked Sendable { let pointer: OpaquePointer }

  private init(_ pointer: OpaquePointer) { broker = Mutex(Reference(pointer: pointer)) }

  /// Starts the asker of this process, which must still be single-threaded and outside the cage.
  public static func start() throws(CageFailure) {
    let questioner = Unmanaged.passRetained(Questioner())
    defer { questioner.release() }
    var duties = ccage_duties()
    duties.context = questioner.toOpaque()
    duties.answer = { context, matter, text, place, socket, descriptor in
      guard let context, let text, let place, let descriptor else { return -EINVAL }
      let questioner = Unmanaged<Questioner>.fromOpaque(context).takeUnretainedValue()
      return questioner.answer(
        matter, String(cString: text), place: String(cString: place), socket: socket, &descriptor.pointee)
    }
    guard let pointer = ccage_broker_start(&duties) else {
      throw CageFailure(step: "fork", reason: SystemError.last.reason)
    }
    shared.withLock { $0 = Asker(pointer) }
  }

  /// Ends the process.
  public func finish() {
    Self.shared.withLock { $0 = nil }
    broker.withLock { reference in
      if let reference { ccage_broker_finish(reference.pointer) }
      reference = nil
    }
  }

  /// Asks, and returns when there is an answer, or none is to come since the flag was set, which is looked at ten times a second.
  func ask(_ want: Want, at place: String, until stop: StopFlag) -> Verdict {
    broker.withLock { reference in
      guard let broker = reference?.pointer,
        ccage_broker_send(broker, Matter(want).rawValue, want.text, place)
      else { return .none }
      let socket = ccage_broker_socket(broker)
      while !Waker.isReadable(socket, within: .milliseconds(100)) {
        if stop.isSet {
          ccage_broker_give_up(broker)
          break
        }
      }
      return Verdict(rawValue: ccage_broker_receive(broker, nil)) ?? .none
    }
  }

  /// Opens what was allowed, for reading.
  func open(_ target: ResolvedPath) throws(SystemError) -> FileDescriptor {
    let answer = receive(.open, target.path)
    guard answer.number >= 0, answer.descriptor >= 0 else { throw SystemError(number: -answer.number) }
    return FileDescriptor(taking: answer.descriptor)
  }

  /// Makes a connection to an origin that was allowed; returns when it is there. Any thread may call it, and several at
  /// once.
  func connect(to address: HTTPAddress) throws(SystemError) -> FileDescriptor {
    let answer = receive(.connect, address.origin)
    guard answer.number >= 0, answer.descriptor >= 0 else { throw SystemError(number: -answer.number) }
    let pair = FileDescriptor(taking: answer.descriptor)
    var descriptor: Int32 = -1
    let number = pair.withNumber { ccage_take($0, &descriptor) }
    guard number >= 0, descriptor >= 0 else {
      // It was given up before it could say why.
      throw SystemError(number: number == -EPIPE ? ETIMEDOUT : -number)
    }
    return FileDescriptor(taking: descriptor)
  }

  private func receive(_ matter: Matter, _ text: String) -> (number: Int32, descriptor: Int32) {
    broker.withLock { reference in
      guard let broker = reference?.pointer, ccage_broker_send(broker, matter.rawValue, text, "") else {
        return (-EPIPE, -1)
      }
      var descriptor: Int32 = -1
      return (ccage_broker_receive(broker, &descriptor), descriptor)
    }
  }
}
