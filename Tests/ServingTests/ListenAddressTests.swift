import Serving
import Testing

@Suite struct ListenAddressTests {
  @Test(arguments: [
    ("8090", "127.0.0.1", 8090), (":8090", "127.0.0.1", 8090), ("localhost:0", "127.0.0.1", 0),
    ("127.0.0.1:8090", "127.0.0.1", 8090), ("[::1]:65535", "::1", 65_535), ("0.0.0.0:80", "0.0.0.0", 80),
  ])
  func `an address has a port, and is the loopback if nothing else is said`(
    text: String, host: String, port: Int
  ) {
    let address = ListenAddress(text)

    #expect(address?.host == host)
    #expect(address?.port == port)
  }

  @Test(arguments: [
    "", ":", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:+80", "example.com:80",
    "::1:80",
    "[::1]", "[::1]80", "1.2.3.4.5:80", "127.0.0.1:80:90", "127.0.0.1:8 0", "127.0.0.1:٣",
  ])
  func `what is no address of this machine is none`(text: String) {
    #expect(ListenAddress(text) == nil)
  }

  @Test(arguments: [
    ("127.0.0.1:1", true), ("127.9.8.7:1", true), ("[::1]:1", true), ("0.0.0.0:1", false), ("[::]:1", false),
    ("10.0.0.1:1", false), ("128.0.0.1:1", false),
  ])
  func `only the loopback is the loopback`(text: String, isLoopback: Bool) {
    #expect(ListenAddress(text)?.isLoopback == isLoopback)
  }
}
