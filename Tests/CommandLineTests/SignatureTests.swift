import Foundation
import Testing

/// Requests that scripts of the gallery sign, checked by a server that signs them again with botocore, AWS's own signer.
@Suite(.waiting) struct SignatureTests {
  private static let keys = [
    "a b", "a+b", "1/2==", "100%", "100%25", "&x=1&list-type=2", "é ü 日本 🙂", "!*'()~", ";:@$,?#[]",
    "\"\\<>^`{|}", " ", "=", "end",
  ]

  private struct Row: Decodable {
    let id: String?
    let key: String?
  }

  @Test(arguments: [("sources/s3", "bucket=archive"), ("sources/dynamodb", "table=readings")])
  func `every page is signed as botocore signs it, whatever its key is`(script: String, parameter: String)
    throws
  {
    let scratch = try Scratch()
    try scratch.write("key", "wJalr+XUtnFEMI/K7MDENG=bPxRfiCY é\n")

    let result = try Command.lookahead([
      "run", Repository.root.path + "/scripts/\(script).lua", "--param",
      "base=http://\(Server.signatures.address)",
      "--param", "id=AKID+/=x", "--secret", "key=@\(scratch.path)/key", "--param", parameter,
      "--param", "region=eu-central-1", "--allow-net=127.0.0.1", "--retries", "0",
    ]).within(scratch).run()

    #expect(result.exitCode == 0, "\(result.errors)")
    let rows = try result.lines.map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
    #expect(rows.map { $0.key ?? $0.id } == Self.keys)
  }
}
