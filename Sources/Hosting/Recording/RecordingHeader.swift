import JSON
import Paging

/// The first line of a recording: what was run, and the initial state for a replay.
public struct RecordingHeader: Sendable, Equatable {
  /// As the user named it.
  public var script: String
  /// SHA-256 of the script's text, in hexadecimal.
  public var scriptDigest: String
  /// For `math.random`, jitter and so on.
  public var seed: UInt64
  /// The start of the run in seconds since 1970.
  public var startedAt: Double
  /// The given parameters, without secrets.
  public var parameters: [String: String]
  /// The names of given parameters that are secret.
  public var secrets: [String]
  /// The pages in flight that the command line asked for, as it is written there.
  public var concurrency: String?
  /// Those of sources that say nothing, in the same form; nil is what it was before it could be found out.
  public var usualConcurrency: String?

  /// The format name of this version.
  static let format = "lookahead recording"
  /// The version written, and the only one read.
  public static let version = 1

  /// A header of a run.
  public init(
    script: String, scriptDigest: String, seed: UInt64, startedAt: Double,
    parameters: [String: String] = [:], secrets: [String] = [], concurrency: String? = nil,
    usualConcurrency: String? = nil
  ) {
    self.script = script
    self.scriptDigest = scriptDigest
    self.seed = seed
    self.startedAt = startedAt
    self.parameters = parameters
    self.secrets = secrets
    self.concurrency = concurrency
    self.usualConcurrency = usualConcurrency
  }
}

extension JSONWriter {
  /// The header as an object.
  mutating func header(_ header: RecordingHeader) {
    object {
      $0.member("format", RecordingHeader.format)
      $0.member("version", RecordingHeader.version)
      $0.member("script", header.script)
      $0.member("scriptDigest", header.scriptDigest)
      $0.member("seed", "\(header.seed)")
      $0.member("startedAt", header.startedAt)
      $0.member("parameters", header.parameters.sorted { $0.key < $1.key }) { json, entry in
        json.array([entry.key, entry.value]) { $0.text($1) }
      }
      $0.member("secrets", header.secrets) { $0.text($1) }
      if let width = header.concurrency { $0.member("concurrency", width) }
      if let width = header.usualConcurrency { $0.member("usualConcurrency", width) }
    }
  }
}

extension RecordingHeader {
  /// Parses the first line, which may be anything.
  init(_ line: JSONTree?) throws(RecordingError) {
    guard case .object(let members)? = line, members["format"] == .text(RecordingHeader.format) else {
      throw .notARecording
    }
    let header: (version: Int, value: RecordingHeader?)
    do throws(LineFault) {
      let fields = try RecordedFields(line, "the header")
      let version = try fields.integer("version")
      header = (version, version == RecordingHeader.version ? try RecordingHeader(fields) : nil)
    } catch {
      throw .line(number: 1, expected: error.expected, got: error.got)
    }
    guard let value = header.value else { throw .version(header.version) }
    self = value
  }

  private init(_ fields: RecordedFields) throws(LineFault) {
    guard let seed = UInt64(try fields.text("seed")) else {
      throw fields.fault("seed", "a whole number in a text")
    }
    let parameters = try fields.headers("parameters").map { ($0.name, $0.value) }
    self.init(
      script: try fields.text("script"), scriptDigest: try fields.text("scriptDigest"), seed: seed,
      startedAt: try fields.real("startedAt"), parameters: Dictionary(parameters) { $1 },
      secrets: try fields.list("secrets", of: "a text") { $0.text },
      concurrency: try fields.textIfAny("concurrency"),
      usualConcurrency: try fields.textIfAny("usualConcurrency"))
  }
}
