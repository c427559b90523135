import Hosting
import Testing

@Suite struct DigestTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ])
  func `a hash is that of FIPS 180-4`(_ text: String, _ digest: String) {
    #expect(sha256(key: nil, data: Array(text.utf8)).hexadecimal == digest)
  }

  /// Keys that are shorter than a block of the hash, as long as one, and longer.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0b, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xaa, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    ([], "", "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    (
      [UInt8](repeating: 0x61, count: 64), "a",
      "afb73125df2bcc32917ca42dba0724ed6eb251c3ead09dbff7feb90e96d9fc0e"
    ),
  ])
  func `a hash with a key is that of RFC 2104`(_ key: [UInt8], _ text: String, _ digest: String) {
    #expect(sha256(key: key, data: Array(text.utf8)).hexadecimal == digest)
  }
}
