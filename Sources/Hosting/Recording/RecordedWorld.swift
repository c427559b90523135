public import Paging

/// The world of a recorded run: each call gets the answer that an equal call got, after the same delay.
///
/// Equal calls get their answers in recorded order. So a policy that fetches in another order, or less, still gets its
/// answers; what was never recorded fails with the code `notRecorded`. Calls that differ only in secrets are told apart by their
/// fingerprints. Who asks with a secret that is new gets what was recorded with another one, if there was only one.
///
/// ```swift
/// let world = RecordedWorld(recording, mask: mask)
/// let answer = world.answer(call, at: now)
/// ```
public final class RecordedWorld {
  /// Calls that are equal but for their secrets.
  private struct Line {
    /// Those that were not asked for yet, by fingerprint; without one they are under an empty text.
    private var exchanges: [String: ArraySlice<RecordedExchange>]
    let count: Int

    init(_ exchanges: [RecordedExchange]) {
      self.exchanges = Dictionary(grouping: exchanges) { $0.fingerprint ?? "" }.mapValues { $0[...] }
      count = exchanges.count
    }

    /// The fingerprints whose answers one who asks with this fingerprint may get; it is empty where nothing is to be told.
    func candidates(for asker: Asker) -> [String] {
      let same = exchanges.keys.filter { $0.sharedFingerprint == asker.fingerprint }
      if same.count == 1 || !same.isEmpty && asker.mayDiffer { return same }
      if !same.isEmpty { return [] }
      if asker.isKnown { return exchanges[""] == nil ? [] : [""] }
      return exchanges.count == 1 || asker.mayDiffer ? Array(exchanges.keys) : []
    }

    /// Takes the first of those with these fingerprints.
    mutating func next(of fingerprints: [String]) -> RecordedExchange? {
      let first = fingerprints.compactMap { exchanges[$0]?.first }
        .min { ($0.asked, $0.number) < ($1.asked, $1.number) }
      return first.flatMap { exchanges[$0.fingerprint ?? ""]?.popFirst() }
    }
  }

  /// Who makes a call.
  private struct Asker {
    let fingerprint: String
    /// Whether some recorded call has the fingerprint.
    let isKnown: Bool
    /// Whether the script has placeholders instead of secrets, and what it makes of them, as signatures, is another than it was.
    let mayDiffer: Bool
  }

  private let recording: Recording
  private let mask: SecretMask
  private let deliver: (Delivery) -> HostReply
  private var lines: [[UInt8]: Line] = [:]
  private let fingerprints: Fingerprints
  private let known: Set<Substring>
  private let hasPlaceholders: Bool

  /// The world of the recording. The mask has to know the program's secrets; `deliver` handles the items and returns
  /// the result.
  public init(
    _ recording: Recording, mask: SecretMask = SecretMask(),
    deliver: @escaping (Delivery) -> HostReply = { _ in .done }
  ) {
    self.recording = recording
    self.mask = mask
    self.deliver = deliver
    let groups = Dictionary(grouping: recording.exchanges) { $0.call.key }
    lines = groups.mapValues { Line($0) }
    fingerprints = Fingerprints(recording.header)
    known = Set(recording.exchanges.compactMap { $0.fingerprint?.sharedFingerprint })
    hasPlaceholders = recording.hasPlaceholders
  }

  /// The reply to a call made at this time, and its delay.
  public func answer(_ call: HostCall, at now: Instant) -> (reply: HostReply, after: Duration) {
    let recorded = mask.recorded(call)
    let key = recorded.key
    let candidates = lines[key]?.candidates(for: asker(of: call)) ?? []
    let exchange = lines[key]?.next(of: candidates)
    // The sink is real, but takes as long as the recorded one.
    let delivered = if case .emit(let delivery) = call { deliver(delivery) } else { HostReply.done }
    if case .answered(let reply, let after)? = exchange?.outcome {
      return (delivered == .done ? reply : delivered, after)
    }
    // An answer the recorded run did not wait for must not come before its end.
    let isLate = exchange != nil || recording.isCut
    let wait = isLate ? max(recording.end - now, .zero) + .nanoseconds(1) : .zero
    switch call {
    case .sleep(let duration) where !recording.isCut:
      return (.done, exchange == nil ? duration : max(duration, wait))
    case .close, .emit, .idle: return (delivered, wait)
    case .begin(let request): return (.begun(BegunReading(request)), wait)
    case .beginStep: return (.step(BegunStep(id: 0)), wait)
    case .sleep, .http, .readFile, .writeFile, .fileExists, .listFiles, .openLines, .nextLines, .listPage,
      .openDatabase,
      .connectDatabase, .query, .openRows, .nextRows, .execute, .environment, .read, .request:
      return (.failed(notRecorded(recorded, exchange, hasCandidates: !candidates.isEmpty)), wait)
    }
  }

  private func asker(of call: HostCall) -> Asker {
    let fingerprint = fingerprints.fingerprint(of: mask.leftOut(of: call)) ?? ""
    return Asker(
      fingerprint: fingerprint, isKnown: known.contains(fingerprint[...]), mayDiffer: hasPlaceholders)
  }

  /// When a wake requested at this time comes: as late as in the recorded run, or else on time.
  public func wake(at wanted: Instant, asked now: Instant) -> Instant {
    recording.wakes[wanted]?.first { $0 > now } ?? wanted
  }

  private func notRecorded(
    _ call: RecordedCall, _ exchange: RecordedExchange?, hasCandidates: Bool
  ) -> HostFailure {
    let count = lines[call.key]?.count ?? 0
    let reason =
      if recording.isCut {
        "the recording was cut after \(recording.end.seconds) s"
      } else if exchange != nil {
        "the recorded run gave it up before the answer came"
      } else if count > 0, !hasCandidates {
        "the recorded run asked with other secrets"
      } else if count > 0 {
        "the recorded run asked \(count == 1 ? "once" : "\(count) times")"
      } else {
        "the recorded run never asked"
      }
    return HostFailure(
      .notRecorded,
      "the recording has no answer to \(call.summary): \(reason); record the script again as it is")
  }
}

extension Recording {
  /// Whether a replay gives its script placeholders, instead of parameters and variables that are secret.
  var hasPlaceholders: Bool {
    !header.secrets.isEmpty || header.parameters.values.contains { $0.contains(SecretMask.beginning) }
      || exchanges.contains { exchange in
        guard case .answered(.text(let text?), _) = exchange.outcome else { return false }
        return text.contains(SecretMask.beginning)
      }
  }
}
