import Hosting
import Paging
import Testing

@Suite struct PermissionsNetTests {
  @Test func `nothing is granted unless it is named`() {
    let failure = Permissions().checkNet("https://api.example.com/items", for: "http.get")

    #expect(
      failure
        == HostFailure(
          .denied, "http.get may not reach api.example.com: it was not granted",
          needs: "--allow-net=api.example.com"))
  }

  @Test(arguments: [
    "http://good.com/", "https://good.com", "HTTP://GOOD.COM/x", "http://good.com.", "http://good.com:8080/",
    "http://good.com:", "http://good.com:/x",
    "http://user:password@good.com/", "http://evil.com@good.com/", "http://a@b@good.com/",
    "http://good.com?x",
    "http://good.com#@evil.com", "http://good.com/@evil.com", "http://good.com?@evil.com",
  ])
  func `a granted host is reached however it is written`(url: String) throws {
    #expect(try granting("good.com").checkNet(url, for: "http.get") == nil)
  }

  @Test(arguments: [
    "http://good.com@evil.com": "evil.com", "http://good.com:80@evil.com/": "evil.com",
    "http://evil.com#@good.com": "evil.com", "http://evil.com?@good.com": "evil.com",
    "http://evil.com/@good.com": "evil.com", "http://good.com.evil.com": "good.com.evil.com",
    "http://evilgood.com": "evilgood.com", "http://sub.good.com": "sub.good.com", "http://good.co": "good.co",
    "http://good.com@127.0.0.1:8080/": "127.0.0.1:8080", "http://good.com@[::1]/": "[::1]",
    "https://evil.com:80/": "evil.com:80",
  ])
  func `a host that only looks granted is refused by its real name`(url: String, host: String) throws {
    let failure = try granting("good.com").checkNet(url, for: "http.get")

    #expect(failure?.code == .denied)
    #expect(failure?.needs == "--allow-net=\(host)")
  }

  @Test(arguments: [
    #"http://good.com\@evil.com"#, #"http://evil.com\.good.com"#, #"http:\\good.com"#, "http:good.com",
    "http:/good.com", "//good.com", "good.com", "", "http://", "http:///good.com", "http://@", "http://:80",
    "http://?good.com", "ftp://good.com", "file:///etc/passwd", "javascript:good.com", "http://:",
    "http://good.com::", "http://good.com:80:",
    "http://good.com:0", "http://good.com:65536", "http://good.com:8O", "http://good.com:+80",
    "http://good .com",
    " http://good.com", "http://good.com ", "http://good.com\t", "http://good.com\n", "http://good.com\u{0}",
    "http://good.com/a b", "http://good.com/a\r\nHost: evil.com", "http://good.com%2eevil.com",
    "http://%67ood.com",
    "http://good\u{3002}com", "http://good.com\u{FF0F}evil.com", "http://ｇood.com", "http://gööd.com",
    "http://good..com", "http://.good.com", "http://good.com..", "http://[::1", "http://::1]",
    "http://[good.com]",
    "http://[::1%25eth0]", "http://[::1]x", "http://[]", "http://1.2.3.4.5", "http://256.1.1.1",
    "http://good.com,evil.com",
    "http://good*com", "http://*.good.com",
  ])
  func `a text that can be read in two ways is no URL`(url: String) throws {
    #expect(try granting("good.com").checkNet(url, for: "http.get")?.code == .invalid)
    #expect(Permissions.all.checkNet(url, for: "http.get")?.code == .invalid)
  }

  @Test(arguments: [
    "api.example.com", "API.Example.COM", "api.example.com.", "api.example.com:443", "*.example.com", "*.com",
    "*.example.com:443",
  ])
  func `an entry is a host, a host and port, or all below a domain`(entry: String) throws {
    #expect(try granting(entry).checkNet("https://api.example.com/x", for: "http.get") == nil)
  }

  @Test(arguments: [
    "example.com", "api.example.com:80", "api.example.com:8443", "*.api.example.com", "*.ample.com",
    "*.example.com:80", "*.example",
  ])
  func `an entry grants no more than it says`(entry: String) throws {
    #expect(try granting(entry).checkNet("https://api.example.com/x", for: "http.get")?.code == .denied)
  }

  @Test func `a star does not stand for the domain itself`() throws {
    let permissions = try granting("*.example.com")

    #expect(permissions.checkNet("https://example.com/", for: "http.get")?.code == .denied)
    #expect(permissions.checkNet("https://a.b.example.com/", for: "http.get") == nil)
  }

  @Test(arguments: [
    "http://127.0.0.1/", "http://127.1/", "http://2130706433/", "http://0x7f.0.0.1/", "http://0x7F000001/",
    "http://0177.0.0.1/", "http://127.0.0.1./", "http://[::ffff:127.0.0.1]/", "http://[::FFFF:7f00:1]/",
  ])
  func `an address is the same however it is written`(url: String) throws {
    var permissions = Permissions.all
    permissions.net.denied = .only([try NetPattern("127.0.0.1")])

    #expect(permissions.checkNet(url, for: "http.get")?.message.contains("--deny-net forbids it") == true)
    #expect(try granting("127.0.0.1").checkNet(url, for: "http.get") == nil)
  }

  @Test(arguments: ["[::1]", "::1", "0:0:0:0:0:0:0:1", "[0:0::0001]", "[::1]:8080"])
  func `an IPv6 address is written with or without brackets`(entry: String) throws {
    #expect(try granting(entry).checkNet("http://[::1]:8080/", for: "http.get") == nil)
    #expect(
      try granting(entry).checkNet("http://[::2]:8080/", for: "http.get")?.needs == "--allow-net=[::2]:8080")
  }

  @Test func `what is denied is denied, whatever was granted`() throws {
    var permissions = Permissions.all
    permissions.net.denied = .only([try NetPattern("*.intern.example"), try NetPattern("evil.com:8080")])

    #expect(permissions.checkNet("http://db.intern.example/", for: "http.get")?.needs == nil)
    #expect(permissions.checkNet("http://db.intern.example/", for: "http.get")?.code == .denied)
    #expect(permissions.checkNet("http://evil.com:8080/", for: "http.get")?.code == .denied)
    #expect(permissions.checkNet("http://evil.com/", for: "http.get") == nil)

    permissions.net.denied = .all
    #expect(permissions.checkNet("http://good.com/", for: "http.get")?.code == .denied)
  }

  @Test(arguments: [
    "", "*", "*.", "**.example.com", "a.*.com", "http://good.com", "good.com/", "user@good.com",
    "good.com:port",
    "good.com:", "good com", "*.127.0.0.1", "gööd.com", "good.com,evil.com",
  ])
  func `an entry that names no host is refused`(entry: String) {
    #expect(throws: HostFailure.self) { try NetPattern(entry) }
  }

  private func granting(_ entry: String) throws -> Permissions {
    Permissions(net: Access(.only([try NetPattern(entry)])))
  }

  @Test(arguments: [
    "127.0.0.1", "[::1]", "127.0.0.1:8080", "localhost", "localhost.:8080", "*.localhost", "127.9.9.9",
  ])
  func `the own machine is denied by any of its addresses, under all of its names`(pattern: String) throws {
    let permissions = Permissions(net: Access(.all, denied: .only([try NetPattern(pattern)])))

    for host in [
      "127.0.0.1", "localhost", "LOCALHOST.", "a.localhost", "[::1]", "127.1", "0.0.0.0", "[::]",
      "127.200.0.1", "[::ffff:127.0.0.1]", "[::7f00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "0",
      "0x7f.1", "017700000001",
    ] {
      #expect(permissions.checkNet("http://\(host):8080/", for: "http.get")?.code == .denied, "\(host)")
    }
    #expect(permissions.checkNet("http://localhost.example.com:8080/", for: "http.get") == nil)
    #expect(
      (permissions.checkNet("http://localhost:9/", for: "http.get") == nil) == pattern.hasSuffix("8080"))
  }

  @Test(arguments: [
    "http://10.1.2.3/", "http://0xa010203/", "http://012.1.515/", "http://[::ffff:a01:203]/",
    "http://[::10.1.2.3]/",
    "http://[64:ff9b::10.1.2.3]/", "http://[64:ff9b:1::10.1.2.3]/", "http://[2002:a01:203::1]/",
    "http://[::ffff:0:10.1.2.3]/", "http://[2001:0:1:2:3:4:f5fe:fdfc]/",
  ])
  func `a denied address is denied behind translators and tunnels`(url: String) throws {
    let permissions = Permissions(net: Access(.all, denied: .only([try NetPattern("10.1.2.3")])))

    #expect(permissions.checkNet(url, for: "http.get")?.code == .denied)
    #expect(permissions.checkNet("http://10.1.2.4/", for: "http.get") == nil)
    #expect(permissions.checkNet("http://[2001:db8::a01:203]/", for: "http.get") == nil)
  }

  @Test func `granting one name of the own machine grants no other`() throws {
    #expect(try granting("localhost").checkNet("http://127.0.0.1/", for: "http.get")?.code == .denied)
  }
}
