public import Items
import JSON
public import Paging

/// A program that wraps another one and records its calls and events.
///
/// It is transparent: the loop sees the program's own effects.
public final class RecordingProgram: Program {
  private struct Open {
    let asked: Instant
    let call: RecordedCall
    let fingerprint: String?

    func ended(_ outcome: RecordedExchange.Outcome, _ id: HostCallID) -> RecordingLine {
      .exchange(
        RecordedExchange(
          number: id.number, asked: asked, call: call, outcome: outcome, fingerprint: fingerprint))
    }
  }

  private let program: any Program
  private let mask: SecretMask
  private let header: () -> RecordingHeader
  private let write: (Bytes) -> Void
  private let isInterrupted: () -> Bool
  private var hasInterruption = false
  private var open: [HostCallID: Open] = [:]
  /// Nil until the header is written.
  private var fingerprints: Fingerprints?
  private var wake: Instant?
  private var hasHeader = false
  private var isOver = false

  /// Records the program; the lines are passed to `write` one by one, including their ends.
  ///
  /// The header is requested after the program has started: only then are its script's secrets known.
  /// `isInterrupted` returns whether the user stopped the program while it was running, without an event.
  public init(
    _ program: any Program, mask: SecretMask, header: @escaping () -> RecordingHeader,
    isInterrupted: @escaping () -> Bool = { false }, write: @escaping (Bytes) -> Void
  ) {
    self.program = program
    self.mask = mask
    self.header = header
    self.isInterrupted = isInterrupted
    self.write = write
  }

  public func handle(_ event: ProgramEvent, at now: Instant) -> [ProgramEffect] {
    if hasHeader { note(event, now) }
    let effects = program.handle(event, at: now)
    if !hasHeader {
      writeHeader()
      note(event, now)
    }
    if !hasInterruption, isInterrupted() { note(.interrupted, now) }
    for effect in effects where !isOver { note(effect, now) }
    return effects
  }

  private func note(_ event: ProgramEvent, _ now: Instant) {
    switch event {
    case .started: write(.started(now))
    case .replied(let id, let reply):
      guard let call = open.removeValue(forKey: id) else { return }
      let outcome = RecordedExchange.Outcome.answered(
        mask.masked(reply, to: call.call), after: now - call.asked)
      write(call.ended(outcome, id))
    case .woke:
      write(.woke(now, wanted: wake ?? now))
      wake = nil
    case .interrupted:
      hasInterruption = true
      write(.interrupted(now))
    case .called, .calledOff, .dismissed: break
    }
  }

  private func note(_ effect: ProgramEffect, _ now: Instant) {
    switch effect {
    case .call(let id, let call):
      let recorded = mask.recorded(call)
      let fingerprint = fingerprints?.recordedFingerprint(of: mask.leftOut(of: call))
      open[id] = Open(asked: now, call: recorded, fingerprint: fingerprint)
    case .cancel(let id): drop(id, now)
    case .answer, .dismiss: break
    case .wake(let time):
      if time != wake { missWake(now) }
      wake = time
    case .finished:
      for id in open.keys.sorted() { drop(id, now) }
      missWake(now)
      write(.ended(now))
      isOver = true
    }
  }

  private func drop(_ id: HostCallID, _ now: Instant) {
    guard let call = open.removeValue(forKey: id) else { return }
    write(call.ended(.dropped(at: now), id))
  }

  /// A due wake that will not come any more.
  private func missWake(_ now: Instant) {
    if let wake, wake <= now { write(.missed(now, wanted: wake)) }
  }

  private func writeHeader() {
    hasHeader = true
    var header = header()
    fingerprints = Fingerprints(header)
    header.script = mask.masked(header.script)
    for value in header.parameters.values { mask.learn(url: value, isHidden: true) }
    header.parameters = Dictionary(
      header.parameters.map { (mask.masked($0.key), mask.masked(url: $0.value)) }
    ) { $1 }
    header.secrets = header.secrets.map { mask.masked($0) }
    var writer = JSONWriter()
    writer.header(header)
    writer.raw("\n")
    write(writer.bytes())
  }

  private func write(_ line: RecordingLine) {
    var writer = JSONWriter()
    writer.line(line)
    writer.raw("\n")
    write(writer.bytes())
  }
}
