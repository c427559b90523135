import Foundation
import Testing

/// Headers, logins and bodies go to the server that they are meant for, and to none that an answer leads to.
@Suite(.waiting) struct CredentialTests {
  /// A list of two pages whose second is at another origin; each item has what its request brought.
  private static let server = """
    import http.server, json, sys
    class Page(http.server.BaseHTTPRequestHandler):
      def log_message(self, *arguments): pass
      def answer(self):
        isFirst = 'page=2' not in self.path
        body = self.rfile.read(int(self.headers.get('content-length') or 0)).decode()
        names = ['authorization', 'x-api-key', 'accept-language']
        item = {'id': 1 if isFirst else 2, 'sent': [self.headers[name] for name in names], 'body': body}
        port, way = self.server.server_address[1], self.path.strip('/').split('?')[0]
        other = {'host': 'localhost', 'same': '127.0.0.1'}[way.split('-')[0]]
        link = 'http://%s:%d/%s?page=2' % (other, port, way) if isFirst else None
        answer = {'items': [item]}
        if way.endswith('-next'): answer['next'] = link
        text = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        if way.endswith('-link') and link: self.send_header('Link', '<%s>; rel="next"' % link)
        self.send_header('Content-Length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)
      do_GET = do_POST = answer
    class Both(http.server.ThreadingHTTPServer): pass
    server = Both(('127.0.0.1', 0), Page)
    open('port', 'w').write(str(server.server_address[1]))
    server.serve_forever()
    """

  /// Runs a line with `$port` while the server is there.
  private func shell(_ line: String) throws -> CommandResult {
    let scratch = try Scratch()
    try scratch.write("server.py", Self.server)
    return try scratch.shell(
      "python3 server.py & server=$!; until port=$(cat port 2>/dev/null) && [ -n \"$port\" ]; do :; done; "
        + "\(line); code=$?; kill $server; exit $code")
  }

  private static let headers =
    "-H 'Authorization: Bearer s3' -H 'X-Api-Key: k9' -H 'Accept-Language: de' --allow-net"

  @Test(arguments: ["next", "link"])
  func `get sends headers to the origin that was typed alone, and says so`(way: String) throws {
    let result = try shell("lookahead get http://127.0.0.1:$port/host-\(way) \(Self.headers)")

    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(
      result.lines == [
        #"{"id": 1, "sent": ["Bearer s3", "k9", "de"], "body": ""}"#,
        #"{"id": 2, "sent": [null, null, "de"], "body": ""}"#,
      ], "\(result.output)")
    #expect(result.errors.contains("that is asked without the headers and the login"), "\(result.errors)")
  }

  @Test(arguments: ["next", "link"])
  func `the script of a get does the same, and the same origin gets all`(way: String) throws {
    for (place, second) in [("host", "null, null"), ("same", #""Bearer s3", "k9""#)] {
      let result = try shell(
        "lookahead get http://127.0.0.1:$port/\(place)-\(way) \(Self.headers) --as-script -q > feed.lua; "
          + "lookahead run feed.lua --allow-net --secret token=s3 --secret apiKey=k9")

      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(result.lines.last == "{\"id\": 2, \"sent\": [\(second), \"de\"], \"body\": \"\"}")
    }
  }

  @Test func `a body goes to no other origin, and the error says what to do`() throws {
    let result = try shell(
      "lookahead get http://127.0.0.1:$port/host-next --method POST --data '{\"q\": 1}' --allow-net")

    #expect(result.exitCode != 0)
    #expect(result.errors.contains("the body of the request is not meant for that"), "\(result.errors)")
    #expect(!result.output.contains(#""id": 2"#))
  }
}
