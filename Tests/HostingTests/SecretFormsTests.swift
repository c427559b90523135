import Hosting
import Items
import JSON
import Testing

@Suite struct SecretFormsTests {
  private static let secrets = ["hunter22", "p\"a\\ss/w", "geheim é世", "ab c+d/e?f", "0123"]

  private static func base64(_ bytes: [UInt8]) -> String {
    bytes.withUnsafeBytes { raw in
      var writer = JSONWriter()
      writer.base64(raw)
      return String(writer.bytes().string.dropFirst().dropLast())
    }
  }

  private static func json(_ text: String) -> String {
    var writer = JSONWriter()
    writer.text(text)
    return String(writer.bytes().string.dropFirst().dropLast())
  }

  @Test(arguments: [
    (
      "page", "no page: pages, homepage, page2, page-1, \"page\"",
      "no [secret]: pages, homepage, page2, [secret]-1, \"[secret]\""
    ),
    ("admin7", "administrator admin7 admin77 /admin7/", "administrator [secret] admin77 /[secret]/"),
    ("hunter22", "hunter22 hunter222 xhunter22", "[secret] [secret]2 x[secret]"),
    ("a-b!", "xa-b!x", "x[secret]x"),
    (
      "hunter2", "a:\\nhunter2 ada%3Ahunter2%40db \\u00e9hunter2 nhunter2 3Ahunter2",
      "a:\\n[secret] ada%3A[secret]%40db \\u00e9[secret] nhunter2 3Ahunter2"
    ),
  ])
  func `a short word is hidden where it is a word, and anything longer wherever it is`(
    secret: String, text: String, masked: String
  ) {
    #expect(SecretMask([secret]).masked(text) == masked)
  }

  @Test(arguments: [
    "wJalr/K7MDENG%2BbPxRfi%3D%3D", "wJalr%2FK7MDENG+bPxRfi==", "wJalr%2fK7MDENG%2bbPxRfi%3d%3d",
    "wJalr/K7MDENG\\u002BbPxRfi==", "wJalr/K7MDENG\\u002bbPxRfi==", "wJalr&#x2F;K7MDENG&#43;bPxRfi==",
    "wJalr%252FK7MDENG%252BbPxRfi%253D%253D", "wJalr&#47;K7MDENG&#43;bPxRfi&#61;&#61;",
  ])
  func `a secret is masked as other programs write it`(written: String) {
    #expect(SecretMask(["wJalr/K7MDENG+bPxRfi=="]).masked("no \(written)!") == "no [secret]!")
  }

  @Test(arguments: secrets)
  func `a secret is masked in JSON, and in JSON within JSON`(secret: String) {
    let mask = SecretMask([secret])
    let once = Self.json(secret)

    #expect(mask.masked("{\"a\":\"\(once)\"}") == "{\"a\":\"[secret]\"}")
    #expect(mask.masked("x \(Self.json(once)) y") == "x [secret] y")
    #expect(mask.masked(secret) == "[secret]")
  }

  @Test(arguments: secrets)
  func `a secret is masked in base64 wherever it begins and ends`(secret: String) {
    let mask = SecretMask([secret])
    for before in ["", "u", "us", "user:", "user1:", "user12:"] {
      for behind in ["", "\n", "ab", "abc"] {
        let whole = Self.base64(Array((before + secret + behind).utf8))
        for text in [whole, whole.replacing("+", with: "-").replacing("/", with: "_")] {
          let masked = mask.masked("<\(text)>")

          #expect(masked.contains("[secret]"), "\(before) \(behind)")
          // Nothing is left but what the bytes around it make, less the letters that they share with the secret.
          let left = masked.replacing("[secret]", with: "").filter { $0 != "=" }.count - 2
          #expect(left <= (before.utf8.count * 8) / 6 + (behind.utf8.count * 8) / 6 + 1, "\(masked)")
        }
      }
    }
  }

  @Test(arguments: secrets)
  func `a secret is masked in hexadecimal and in every way of percent encoding`(secret: String) {
    let mask = SecretMask([secret])
    let digits = secret.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }

    for text in [digits.joined(), digits.map { "%" + $0 }.joined()] {
      #expect(mask.masked("a=\(text)&") == "a=[secret]&")
      #expect(mask.masked("a=\(text.uppercased())&") == "a=[secret]&")
    }
  }

  @Test func `a secret of three bytes is masked as a whole value only`() {
    let mask = SecretMask(["abc"])

    #expect(mask.masked("abc") == "[secret]")
    #expect(mask.masked("?t=abc&x=1") == "?t=[secret]&x=1")
    #expect(mask.masked("abcdef 616263") == "abcdef 616263")
  }
}
