import Foundation
import TestSupport

/// A server on this machine that lives as long as the tests: it prints its port first, and ends with its standard input.
final class Server: Sendable {
  /// Serves a data set with the faults that a URL names.
  static let faults = Server("python3", "Tests/Servers/fault_server.py", "--port", "0", "--follow-stdin")
  /// Datasette with its 60,000 readings.
  static let datasette = python("datasette_server")
  /// Serves lists as the paging conventions of public APIs have them.
  static let conventions = Server("python3", "Tests/Servers/api_server.py", "--port", "0", "--follow-stdin")
  /// A list behind OAuth 2.
  static let oauth2 = Server("python3", "Tests/Servers/oauth2_server.py", "--port", "0", "--follow-stdin")
  /// Kinto with 3,000 records, newest first.
  static let kinto = python("kinto_server")
  /// Django REST framework with 1,250 articles by each of its paginators, and 50 authors.
  static let restFramework = python("rest_framework_server")
  /// Strawberry with a connection of 640 books.
  static let strawberry = python("strawberry_server")
  /// moto with a DynamoDB table of 730 items, and S3 buckets.
  static let moto = python("moto_server")
  /// Checks the signatures of S3 and DynamoDB.
  static let signatures = python("signature_server")
  /// A list of 20,000 items over HTTP/2.
  static let http2 = python("http2_server")
  /// What goes wrong beneath HTTP/1.1 over TLS.
  static let tls = python("tls_server")

  let port: Int
  /// Kept, since the server ends when its standard input is closed; nothing but these tests holds that open.
  private let process: Spawned

  private init(_ program: String...) {
    let quiet = ["-c", "exec \"$@\" 2> /dev/null", "sh"] + program
    let process = try? Spawned(
      "/bin/sh", quiet, environment: ProcessInfo.processInfo.environment, folder: Repository.root.path)
    guard let process, let port = Self.number(FileHandle(fileDescriptor: process.output)) else {
      preconditionFailure("\(program) did not start; scripts/bootstrap.sh --tests installs what it needs")
    }
    self.port = port
    self.process = process
  }

  /// A server of what `Tests/requirements.txt` installs.
  private static func python(_ name: String) -> Server {
    Server("Tests/.venv/bin/python", "Tests/Servers/\(name).py", "--follow-stdin")
  }

  /// Host and port, as URLs have them.
  var address: String { "127.0.0.1:\(port)" }

  /// A base URL with settings as `every_429=7/items=500`; requests of equal `run` are counted together.
  func base(run: String, _ settings: String = "") -> String {
    "http://\(address)/run=\(run)" + (settings.isEmpty ? "" : "/\(settings)")
  }

  /// What the fault server counted for a run.
  func counts(run: String) throws -> Counts {
    let result = try Command("/usr/bin/env", ["python3", "-c", Self.asking, base(run: run, "stats")]).run()
    return try JSONDecoder().decode(Counts.self, from: Data(result.output.utf8))
  }

  struct Counts: Decodable {
    let requests: Int
    let max_in_flight: Int
    let statuses: [String: Int]
    let faults: [String: Int]
  }

  private static let asking = """
    import sys, urllib.request
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    print(opener.open(sys.argv[1]).read().decode())
    """

  /// The first line as a number.
  private static func number(_ file: FileHandle) -> Int? {
    var text = ""
    while let part = try? file.read(upToCount: 1), let byte = part.first, byte != UInt8(ascii: "\n") {
      text.unicodeScalars.append(UnicodeScalar(byte))
    }
    return Int(text)
  }
}
