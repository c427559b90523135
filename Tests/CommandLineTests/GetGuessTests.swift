import Foundation
import Testing

/// A server that closes the connection where it is asked for what it does not know.
@Suite(.waiting) struct GetGuessTests {
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

  @Test func `a guess whose connection breaks is asked again, and no page is missed in silence`() throws {
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
    #expect(Dictionary(grouping: guesses) { $0 }.values.allSatisfy { $0.count <= 4 }, "\(guesses)")
  }

  /// Three pages of 7 items; while there is a file `failing`, what it says is done where the second one is asked for.
  private static let pages = """
    import http.server, json, os, urllib.parse

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            asked = dict(urllib.parse.parse_qsl(self.path.partition("?")[2]))
            page = int(asked.get("page", 1))
            how = open("failing").read().strip() if page == 2 and os.path.exists("failing") else ""
            if how == "drop":
                self.close_connection = True
                return
            items = [{"id": n} for n in range(7 * page, 7 * page + 7)] if page < 4 else []
            data = {"html": b"<html>", "empty": b""}.get(how, json.dumps({"items": items}).encode())
            self.send_response(int(how) if how.isdigit() else 200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_request(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_address[1], flush=True)
    server.serve_forever()
    """

  @Test(
    arguments: [
      ("?page=1", "408", 75), ("?page=1", "425", 75), ("?page=1", "503", 75), ("?page=1", "drop", 75),
      ("?page=1", "html", 75), ("?page=1", "empty", 75), ("?page=1", "401", 1), ("?page=1", "403", 1),
      ("", "503", 75), ("", "drop", 75), ("", "html", 75), ("", "403", 1),
    ] as [(String, String, Int32)])
  func `a mirror keeps the rows of pages that a failure hides`(query: String, how: String, exit: Int32) throws
  {
    let scratch = try Scratch()
    try scratch.write("server.py", Self.pages)

    let result = try scratch.shell(
      "python3 server.py > log 2> errors & server=$!; "
        + "until port=$(head -1 log 2>/dev/null) && [ -n \"$port\" ]; do :; done; "
        + "get() { lookahead get \"http://127.0.0.1:$port/list\(query)\" -o a.db --write mirror --retries 1; }; "
        + "get && echo \(how) > failing; get; code=$?; kill $server; "
        + "sqlite3 a.db 'select count(*) from items'; exit $code")

    #expect(result.exitCode == exit, "\(result.errors)")
    #expect(result.lines == ["21"], "\(result.errors)")
    #expect(result.errors.contains("page=2 brought no page, but "), "\(result.errors)")
  }
}
