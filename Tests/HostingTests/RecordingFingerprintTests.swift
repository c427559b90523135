import Hosting
import Items
import Paging
import Testing

/// Requests that differ only in what a recording leaves out.
@Suite struct RecordingFingerprintTests {
  private static let header = RecordingHeader(script: "a", scriptDigest: "", seed: 1, startedAt: 0.25)

  /// What is recorded of calls that are made at once and answered with their places.
  private func text(
    _ calls: [HostCall], secrets: [String] = [], header: RecordingHeader = RecordingFingerprintTests.header
  ) -> String {
    let program = AskingProgram(calls.enumerated().map { (HostCallID(number: $0.offset), $0.element) })
    program.after = Array(repeating: [], count: calls.count - 1) + [[.finished]]
    return recordedText(program, mask: SecretMask(secrets), header: header) { recorder in
      for place in calls.indices {
        _ = recorder.handle(.replied(HostCallID(number: place), .count(place)), at: .zero)
      }
    }
  }

  private func world(_ text: String, secrets: [String] = []) throws -> RecordedWorld {
    RecordedWorld(try Recording(Bytes(text)), mask: SecretMask(secrets))
  }

  private static func get(_ path: String = "items", _ name: String = "", _ value: String = "") -> HostCall {
    .http(HTTPRequest(url: "http://x/\(path)", headers: name.isEmpty ? [] : [HTTPHeader(name, value)]))
  }

  private static func bearer(_ token: String, _ path: String = "items") -> HostCall {
    get(path, "Authorization", "Bearer \(token)")
  }

  /// Ways to send a secret.
  enum Way: String, CaseIterable {
    case bearer, basic, token, cookie, login
    case secret_id, auth, sig, signature, credential, password, api_key
    case form

    func call(_ secret: String) -> HostCall {
      switch self {
      case .bearer: RecordingFingerprintTests.bearer(secret)
      case .basic:
        RecordingFingerprintTests.get(
          "items", "Authorization", "Basic dTo" + (secret == "101" ? "x" : secret == "102" ? "y" : "z"))
      case .token: RecordingFingerprintTests.get("items", "X-Token", secret)
      case .cookie: RecordingFingerprintTests.get("items", "Cookie", "b=1; sid=\(secret)")
      case .login: .http(HTTPRequest(url: "http://ann:\(secret)@x/items"))
      case .form:
        .http(
          HTTPRequest(
            method: "POST", url: "http://x/login",
            headers: [HTTPHeader("Content-Type", "application/x-www-form-urlencoded")],
            body: Bytes("user=ann&password=\(secret)secret")))
      case .secret_id, .auth, .sig, .signature, .credential, .password, .api_key:
        RecordingFingerprintTests.get("items?\(rawValue)=\(secret)&page=1")
      }
    }
  }

  @Test(arguments: Way.allCases)
  func `each gets its own answer, in whatever order and however few are asked`(way: Way) throws {
    let calls = ["101", "102", "103"].map(way.call)
    let written = text(calls)
    let (backwards, alone) = (try world(written), try world(written))

    let replies = calls.reversed().map { backwards.answer($0, at: .zero).reply }

    #expect(replies == [.count(2), .count(1), .count(0)])
    #expect(alone.answer(calls[1], at: .zero).reply == .count(1))
    #expect(alone.answer(calls[1], at: .zero).reply.failure?.code.rawValue == "notRecorded")
  }

  @Test func `no secret gets the answers of others, be it known for another page or not`() throws {
    let calls = [Self.bearer("101"), Self.bearer("102"), Self.bearer("102", "items?page=2")]
    let world = try world(text(calls))

    for call in [Self.bearer("108"), Self.bearer("101", "items?page=2"), Self.get()] {
      let failure = world.answer(call, at: .zero).reply.failure
      #expect(failure?.code.rawValue == "notRecorded")
      #expect(failure?.message.contains("asked with other secrets") == true, "\(failure?.message ?? "")")
    }
  }

  @Test func `another secret than the only one gets its answers`() throws {
    let calls = [Self.bearer("first"), Self.bearer("first"), Self.get("items?sig=abc&page=2")]
    let world = try world(text(calls))

    #expect(world.answer(Self.bearer("other"), at: .zero).reply == .count(0))
    #expect(world.answer(Self.get(), at: .zero).reply == .count(1))
    #expect(world.answer(Self.get("items?sig=other&page=2"), at: .zero).reply == .count(2))
  }

  @Test func `what was recorded without fingerprints is answered in its order`() throws {
    let lines = text([Self.bearer("101"), Self.bearer("102")]).split(separator: "\n")
    let old = lines.map { line -> String in
      guard let start = line.firstRange(of: #""fingerprint":""#) else { return String(line) }
      let rest = line[start.upperBound...]
      return String(line[..<start.lowerBound]) + rest[rest.firstRange(of: "\",")!.upperBound...]
    }
    #expect(old.map(\.utf8.count) != lines.map(\.utf8.count))
    let world = try world(old.joined(separator: "\n") + "\n")

    #expect(world.answer(Self.bearer("102"), at: .zero).reply == .count(0))
    #expect(world.answer(Self.bearer("101"), at: .zero).reply == .count(1))
  }

  /// A token that is renewed: the script of a replay has the same word in the place of each.
  @Test func `tokens out of answers are asked with in their order`() throws {
    let calls = [
      HostCall.http(HTTPRequest(method: "POST", url: "http://x/token")), Self.bearer("t0kenNumberOne"),
      .http(HTTPRequest(method: "POST", url: "http://x/token")), Self.bearer("t0kenNumberTwo"),
      Self.get("items", "Cookie", "sid=c00kieOfServer"),
    ]
    let program = AskingProgram([])
    for (place, call) in calls.enumerated() {
      program.after.append([.call(HostCallID(number: place), call)])
    }
    program.after.append([.finished])
    func reply(_ body: String) -> HostReply {
      .response(
        HTTPResponse(
          status: 200, headers: [HTTPHeader("Set-Cookie", "sid=c00kieOfServer; Path=/")], body: Bytes(body),
          url: "http://x/"))
    }
    let bodies = [
      #"{"access_token":"t0kenNumberOne"}"#, "one", #"{"access_token":"t0kenNumberTwo"}"#, "two", "three",
    ]
    let recording = try record(program, header: Self.header) { recorder in
      _ = recorder.handle(.woke, at: .zero)
      for (place, body) in bodies.enumerated() {
        _ = recorder.handle(.replied(HostCallID(number: place), reply(body)), at: .zero)
      }
    }
    let world = RecordedWorld(recording)
    func body(_ call: HostCall) -> String? {
      guard case .response(let response) = world.answer(call, at: .zero).reply else { return nil }
      return response.body.string
    }

    #expect(recording.exchanges.allSatisfy { $0.fingerprint == nil })
    #expect((0..<3).map { _ in body(Self.bearer("[secret]")) } == ["one", "two", "three"])
  }

  @Test func `a script that has a word in the place of its secret asks in the recorded order`() throws {
    let signed = ["one", "two"].map { Self.get("items?sig=\($0)") }
    var header = Self.header
    header.secrets = ["key"]
    let world = try world(text(signed, secrets: ["s3cr3tKey"], header: header))

    #expect(world.answer(Self.get("items?sig=other"), at: .zero).reply == .count(0))
    #expect(world.answer(Self.get("items?sig=another"), at: .zero).reply == .count(1))
  }

  @Test func `a fingerprint shows little, less of what can be guessed, and another in each recording`() throws
  {
    let calls = [
      Self.bearer("hunter2"), Self.bearer("aVeryLongTokenThatNobodyHasChosen"),
      Self.get("a", "Authorization", "Basic YW5uOmEgdmVyeSBsb25nIHBhc3N3b3JkIHRoYXQgaXMgY2hvc2Vu"),
      Self.get("items?password=aVeryLongPasswordThatIsChosen"), Self.get(),
    ]
    var other = Self.header
    other.startedAt = 7.5

    let recordings = try [Self.header, other].map { try Recording(Bytes(text(calls, header: $0))) }

    for recording in recordings {
      #expect(recording.exchanges.map { $0.fingerprint?.count } == [3, 8, 3, 3, nil])
    }
    #expect(recordings[0].exchanges[1].fingerprint != recordings[1].exchanges[1].fingerprint)
  }

  @Test func `of many short secrets none gets the answer of another, though some share a fingerprint`() throws
  {
    let calls = (0..<600).map { Self.bearer("\($0)") }
    let world = try world(text(calls))

    let replies = calls.reversed().map { world.answer($0, at: .zero).reply }

    let own = (0..<600).reversed().map { HostReply.count($0) }
    let unlike = zip(replies, own).filter { $0.0 != $0.1 }
    #expect(unlike.allSatisfy { $0.0.failure?.code.rawValue == "notRecorded" })
    #expect(!unlike.isEmpty && unlike.count < 200)
  }
}
