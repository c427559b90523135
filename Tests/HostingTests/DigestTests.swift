import Hosting
import Testing

@Suite struct DigestTests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ])
  func `a hash is that of FIPS 180-4`(_ text: String, _ expected: String) {
    #expect(digest("sha256", key: nil, data: Array(text.utf8)).hexadecimal == expected)
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
  func `a hash with a key is that of RFC 2104`(_ key: [UInt8], _ text: String, _ expected: String) {
    #expect(digest("sha256", key: key, data: Array(text.utf8)).hexadecimal == expected)
  }

  /// Without a key, with a short one, and with one that is longer than each block: of FIPS 180-4, RFC 1321, 2202 and 4231, but for MD5
  /// and SHA-1 with the last one, which Python has made.
  @Test(arguments: [
    (
      "md5",
      [
        "900150983cd24fb0d6963f7d28e17f72",
        "750c783e6ab0b503eaa86e310a5db738",
        "bfecaf4efff90a3a668f3922fec3762d",
      ]
    ),
    (
      "sha1",
      [
        "a9993e364706816aba3e25717850c26c9cd0d89d",
        "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79",
        "90d0dace1c1bdc957339307803160335bde6df2b",
      ]
    ),
    (
      "sha384",
      [
        "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
        "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e8e2240ca5e69e2c78b3239ecfab21649",
        "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c60c2ef6ab4030fe8296248df163f44952",
      ]
    ),
    (
      "sha512",
      [
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737",
        "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598",
      ]
    ),
  ])
  func `other digests are those of their standards`(_ algorithm: String, _ expected: [String]) {
    let made = [
      digest(algorithm, key: nil, data: Array("abc".utf8)),
      digest(algorithm, key: Array("Jefe".utf8), data: Array("what do ya want for nothing?".utf8)),
      digest(
        algorithm, key: [UInt8](repeating: 0xaa, count: 131),
        data: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)),
    ]

    #expect(made.map(\.hexadecimal) == expected)
  }
}
