/// How a digest is made of bytes, by the name that scripts call it.
public enum DigestAlgorithm: String, Sendable, CaseIterable {
  case md5, sha1, sha256, sha384, sha512
}
