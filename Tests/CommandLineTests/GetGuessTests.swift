import Foundation
import Testing

/// A server that closes the connection where it is asked for what it does not know.
@Suite struct GetGuessTests {
  private static let server = """
    import http.server, json

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            if "?" in self.path:
                self.close_connection = True
                return
            data = json.dumps([{"id": n} for n in range(7)]).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_request(self, *_):
            pass

        def parse_request(self):
            isRight = super().parse_request()
            print(self.path, flush=True)
            return isRight

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """

  @Test func `a guess whose connection breaks is retried once, and no page is missed in silence`() throws {
    let scratch = try Scratch()
    try scratch.write("server.py", Self.server)

    let result = try scratch.shell(
      "python3 server.py > log 2> errors & server=$!; "
        + "until port=$(head -1 log 2>/dev/null) && [ -n \"$port\" ]; do :; done; "
        + "lookahead get http://127.0.0.1:$port/list; code=$?; kill $server; exit $code")
    let guesses = try scratch.text("log").split(separator: "\n").filter { $0.contains("?") }

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(result.lines.count == 7)
    #expect(result.errors.contains("nothing says whether that is all"), "\(result.errors)")
    #expect(!guesses.isEmpty)
    #expect(Dictionary(grouping: guesses) { $0 }.values.allSatisfy { $0.count <= 2 }, "\(guesses)")
  }
}
