import Glibc
import Hosting
import Paging
import Scripting
import Simulation
import Synchronization

/// A run in virtual time whose host calls are answered from a recording: nothing is fetched, and nothing sleeps.
final class RunReplay {
  private let recording: Recording

  /// Reads the recording; an error has been shown when it throws. A different script is allowed, with a warning.
  init(_ path: String, of script: ScriptFile, _ voice: Voice) throws(RunExit) {
    do throws(RecordingError) {
      recording = try Recording.read(path)
    } catch {
      voice.error("error: --replay \(path)\(error.wording)")
      throw .noInput
    }
    let header = recording.header
    if header.script.fileName != script.path.fileName {
      voice.warn("--replay \(path): this is a recording of \(header.script) and not of \(script.path)")
    } else if header.scriptDigest != script.digest {
      voice.warn("--replay \(path): the script has changed since it was recorded")
    }
    if recording.isCut {
      voice.warn("--replay \(path): the recording was cut after \(recording.end.seconds) s")
    }
  }

  /// Where random numbers and the script's clock begin.
  var beginning: (seed: UInt64, startedAt: Double) { (recording.header.seed, recording.header.startedAt) }

  /// The settings of sources with the pages in flight of the recorded run, where the command line does not say them.
  func overrides(_ given: SourceOverrides) -> SourceOverrides {
    var overrides = given
    let header = recording.header
    overrides.width = given.width ?? header.concurrency.flatMap { Concurrency(argument: $0)?.width }
    overrides.usualWidth = header.usualConcurrency.flatMap { Concurrency(argument: $0)?.width }
    return overrides
  }

  /// Whether the recorded run remembered how far it had come.
  var remembers: Bool {
    recording.exchanges.contains { if case .call(.begin) = $0.call { true } else { false } }
  }

  /// The parameters: recorded values where not given; secrets not given are replaced by a placeholder.
  func parameters(_ given: [String: String]) -> [String: String] {
    let hidden = recording.header.secrets.map { ($0, SecretMask.placeholder) }
    let recorded = recording.header.parameters.merging(hidden) { $1 }
    return recorded.merging(given) { $1 }
  }

  /// Runs the program of a workflow to the end and returns the virtual time, which is that of log lines too. `prepare` is called
  /// before each call.
  func run(
    _ program: any Program, of workflow: Workflow, mask: SecretMask, target: any DeliveryTarget,
    _ voice: Voice,
    prepare: @escaping () -> Void
  ) -> Instant {
    signal(SIGPIPE, SIG_IGN)
    let target = PatientTarget(target)
    let world = RecordedWorld(recording, mask: mask) { target.deliver($0) }
    var punctuality = VirtualLoop.Punctuality()
    punctuality.start = recording.start
    punctuality.sleep = { world.answer(.sleep($0), at: $1) }
    punctuality.idle = { world.answer(.idle, at: $0) }
    punctuality.wake = { world.wake(at: $0, asked: $1) }
    let loop = VirtualLoop(punctuality: punctuality) { call, now in
      prepare()
      return world.answer(call, at: now)
    }
    voice.clock = { [unowned loop, start = beginning.startedAt] in start + loop.now.seconds }
    defer { voice.clock = { [start = beginning.startedAt, now = loop.now] in start + now.seconds } }
    for time in recording.interruptions { loop.interrupt(at: time) }
    loop.onInterruption = { workflow.stopScript() }
    loop.run(program)
    return loop.now
  }
}

extension String {
  /// The last part of a path.
  var fileName: Substring { split(separator: "/").last ?? "" }
}

extension RecordingError {
  /// What is wrong with the file, for use after its name.
  var wording: String {
    switch self {
    case .unreadable(let failure): ": \(failure.message)"
    case .notARecording:
      ": this is no recording (expected a file that lookahead run --record has written)"
    case .version(let version):
      ": a recording of version \(version) (expected \(RecordingHeader.version)); record the script again"
    case .line(let number, let expected, let got): ":\(number): expected \(expected), got \(got)"
    }
  }
}

/// Waits until the sink has accepted a delivery: virtual time does not run ahead of the output.
final class PatientTarget {
  private let target: any DeliveryTarget

  init(_ target: any DeliveryTarget) { self.target = target }

  /// Delivers the items and returns the sink's reply.
  func deliver(_ delivery: Delivery) -> HostReply {
    let answer = Answer()
    return target.accept(delivery) { answer.set($0) } ?? answer.wait()
  }
}

/// A reply from another thread.
private final class Answer: @unchecked Sendable {
  private let reply = Mutex<HostReply?>(nil)
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func set(_ reply: HostReply) {
    self.reply.withLock { $0 = reply }
    sem_post(semaphore)
  }

  func wait() -> HostReply {
    while sem_wait(semaphore) != 0, errno == EINTR {}
    return reply.withLock { $0 } ?? .done
  }
}
