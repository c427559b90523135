import Hosting
import Items
import Paging
import Testing

@Suite struct RecordingSecretsTests {
  private static let secret = "s3cr3t/+ \"ü\" value"

  private func text(_ call: HostCall, _ reply: HostReply, secrets: [String] = []) -> String {
    let id = HostCallID(number: 1)
    let header = RecordingHeader(script: "a", scriptDigest: "", seed: 1, startedAt: 0)
    return recordedText(AskingProgram([(id, call)]), mask: SecretMask(secrets), header: header) { recorder in
      _ = recorder.handle(.replied(id, reply), at: .zero)
    }
  }

  private func response(_ body: String, headers: [HTTPHeader] = []) -> HostReply {
    .response(HTTPResponse(status: 200, headers: headers, body: Bytes(body), url: "http://x/"))
  }

  @Test func `a secret is kept nowhere, in no form`() {
    let inURL = "s3cr3t%2F%2B%20%22%C3%BC%22%20value"
    let inForm = "s3cr3t%2F%2B+%22%C3%BC%22+value"
    let calls: [HostCall] = [
      .http(
        HTTPRequest(
          url: "http://x/\(inURL)?q=\(inForm)", headers: [HTTPHeader("X-Note", Self.secret)],
          body: Bytes("a=\(inForm)"))),
      .readFile(path: Self.secret), .writeFile(path: "a", contents: Bytes(Self.secret)),
      .execute(handle: 2, SQLStatement("select '\(Self.secret)'", named: ["a": .text(Self.secret)])),
      .query(handle: 2, SQLStatement("", positional: [.blob(Bytes(Self.secret))])),
    ]
    let replies: [HostReply] = [
      response(#"{"echo":"s3cr3t/+ \"ü\" value"}"#, headers: [HTTPHeader("X-Echo", Self.secret)]),
      response(#"{"echo":"s3cr3t/+ \"\u00fc\" value"}"#), response(#"{"echo":"s3cr3t/+ \"\u00FC\" value"}"#),
      .bytes(Bytes(Self.secret)), .lines([Bytes(Self.secret)], isEnd: true), .names([Self.secret]),
      .text(Self.secret), .failed(HostFailure(.io, "no \(Self.secret)", needs: Self.secret)),
    ]

    for call in calls {
      for reply in replies {
        let written = text(call, reply, secrets: [Self.secret])
        #expect(!written.contains("s3cr3t"), "\(written)")
        #expect(written.contains("[secret]"))
      }
    }
  }

  @Test(arguments: ["Authorization", "proxy-authorization", "Cookie", "X-Api-Key", "X-Auth-Token"])
  func `a header of credentials is not kept, nor is its echo`(name: String) {
    let request = HTTPRequest(url: "http://x/", headers: [HTTPHeader(name, "Bearer abcdefgh12345")])

    let written = text(.http(request), response("you sent abcdefgh12345"))

    #expect(!written.contains("abcdefgh12345"))
    #expect(written.contains(#"["\#(name)","[secret]"]"#))
    #expect(written.contains("you sent [secret]"))
  }

  @Test func `the value of each cookie is not kept, nor is its echo`() {
    let cookies = HTTPHeader("Cookie", "sid=s3cr3tSid12; b=1; theme=\"l0ngQuoted1\"")

    let written = text(
      .http(HTTPRequest(url: "http://x/", headers: [cookies])), response("s3cr3tSid12, l0ngQuoted1, 1"))

    #expect(!written.contains("s3cr3tSid12") && !written.contains("l0ngQuoted1"), "\(written)")
    #expect(written.contains("[secret], [secret], 1"), "\(written)")
    #expect(SecretMask.secrets(ofHeader: "cookie", "sid=abc; b=1") == ["sid=abc; b=1"])
  }

  @Test func `a password in a URL is not kept, nor is its echo`() {
    let written = text(
      .http(HTTPRequest(url: "http://ann:hunter2%21xyz@x/items?page=2")), response("hunter2!xyz"))

    #expect(!written.contains("hunter2"))
    #expect(written.contains("http://[secret]@x/items?page=2"))
  }

  @Test(arguments: ["Link", "location", "Refresh"])
  func `addresses in headers are kept without their secrets`(name: String) {
    let value =
      "</x?p=2&access_token=Issued99T0ken>; rel=\"next\", <http://u:LinkPassw0rd@h/x?key=K3yK3yK3y&p=1>; rel=first"

    let written = text(
      .http(HTTPRequest(url: "http://x/")), response("[]", headers: [HTTPHeader(name, value)]))

    for secret in ["Issued99T0ken", "LinkPassw0rd", "K3yK3yK3y"] {
      #expect(!written.contains(secret), "\(written)")
    }
    #expect(
      written.contains("/x?p=2&access_token=[secret") && written.contains("&p=1>; rel=first"), "\(written)")
  }

  @Test func `parameters that look like secrets are not kept, those of paging are`() {
    let url = "http://x/?api_key=abcdefgh&sig=xyz&pageToken=p1&cursor=c1&page=3"

    let written = text(.http(HTTPRequest(url: url)), response("abcdefgh"))

    #expect(written.contains("http://x/?api_key=[secret]&sig=[secret]&pageToken=p1&cursor=c1&page=3"))
    #expect(!written.contains("abcdefgh"))
  }

  @Test func `different values of a parameter that may be a place in the data stay different`() throws {
    let ids = (1...2).map { HostCallID(number: $0) }
    let calls = ["first", "second"].map { HostCall.http(HTTPRequest(url: "http://x/?key=\($0)")) }
    let header = RecordingHeader(script: "a", scriptDigest: "", seed: 1, startedAt: 0)
    let recording = try record(AskingProgram(Array(zip(ids, calls))), header: header) { recorder in
      for (place, id) in ids.enumerated() {
        _ = recorder.handle(.replied(id, .count(place)), at: .zero)
      }
    }

    let world = RecordedWorld(recording)

    #expect(world.answer(calls[1], at: .zero).reply == .count(1))
    #expect(world.answer(calls[0], at: .zero).reply == .count(0))
  }

  @Test func `a variable that is named like a secret is not kept, another one is`() {
    #expect(!text(.environment(name: "GITHUB_TOKEN"), .text("ghp_1234")).contains("ghp_1234"))
    #expect(text(.environment(name: "HOME"), .text("/home/ann")).contains("/home/ann"))
  }

  @Test func `tokens that a server gives out are not kept`() {
    let body = #"{"access_token" : "abcdef123456","refresh_token":"zyxwvu987654","expires_in":3600}"#

    let written = text(.http(HTTPRequest(method: "POST", url: "http://x/token")), response(body))

    #expect(!written.contains("abcdef123456") && !written.contains("zyxwvu987654"))
    #expect(written.contains("3600"))
  }

  @Test func `a replay with a word in the place of the secret finds its answers`() throws {
    let id = HostCallID(number: 1)
    func call(_ token: String) -> HostCall { .http(HTTPRequest(url: "http://x/\(token)?t=\(token)")) }
    let header = RecordingHeader(script: "a", scriptDigest: "", seed: 1, startedAt: 0)
    let recording = try record(
      AskingProgram([(id, call("abc123"))]), mask: SecretMask(["abc123"]), header: header
    ) { recorder in
      _ = recorder.handle(.replied(id, .count(7)), at: .zero)
    }

    let replies = ["%5Bsecret%5D", "[secret]", "other"].map { token in
      RecordedWorld(recording, mask: SecretMask(["other"])).answer(call(token), at: .zero).reply
    }

    #expect(replies == [.count(7), .count(7), .count(7)])
  }

  @Test(arguments: ["a", "1", "ab", "123"])
  func `a secret of a few letters is hidden where it stands alone and spoils nothing else`(secret: String) {
    let request = HTTPRequest(
      url: "http://127.0.0.1:8123/banana?key2=\(secret)&n=1234", headers: [HTTPHeader("X-Note", secret)])
    let body = #"{"id":1123,"name":"a banana, ab ovo","n":123}"#

    let written = text(.http(request), response(body), secrets: [secret])

    #expect(written.contains("http://127.0.0.1:8123/banana?key2=[secret]&n=1234"))
    #expect(written.contains(#"["X-Note","[secret]"]"#))
    #expect(SecretMask([secret]).masked(Bytes(body)).string == body)
  }
}
