/// Tells requests apart that differ only in secrets, which a recording leaves out.
///
/// A fingerprint is the beginning of a digest under a key that each recording has for itself; a replay makes it of what it asks with.
/// Of what a program has drawn it has 32 bits. Of what a person may have chosen it has only 12: one guess of 4,096 fits, so that a
/// list of passwords leads to thousands that all look right.
struct Fingerprints {
  private let key: [UInt8]
  /// The digests that have a short fingerprint in common, in the order in which they were met.
  private var digests: [String: [[UInt8]]] = [:]

  private static let (digits, digitsOfGuessable) = (8, 3)

  /// Those of a recording.
  init(_ header: RecordingHeader) {
    key = Array("\(header.seed) \(header.startedAt) \(header.scriptDigest)".utf8)
  }

  /// The fingerprint of what is left out of a request; nil if nothing is.
  func fingerprint(of parts: [LeftOut]) -> String? { made(of: parts)?.text }

  /// The same for a recording: where two have one in common, the later has a number behind it, and a replay takes neither for the
  /// other.
  mutating func recordedFingerprint(of parts: [LeftOut]) -> String? {
    guard let (text, digest) = made(of: parts) else { return nil }
    guard text.utf8.count < Self.digits else { return text }
    let number = digests[text]?.firstIndex(of: digest) ?? digests[text]?.count ?? 0
    if number == digests[text]?.count ?? 0 { digests[text, default: []].append(digest) }
    return number == 0 ? text : "\(text).\(number)"
  }

  private func made(of parts: [LeftOut]) -> (text: String, digest: [UInt8])? {
    guard !parts.isEmpty else { return nil }
    let data = parts.flatMap { Array("\($0.place)\0\($0.value)\0".utf8) }
    let whole = digest("sha256", key: key, data: data)
    let digits = parts.contains(where: \.isGuessable) ? Self.digitsOfGuessable : Self.digits
    return (String(whole.hexadecimal.prefix(digits)), whole)
  }
}

extension String {
  /// A recorded fingerprint without the number behind it.
  var sharedFingerprint: Substring { prefix { $0 != "." } }
}
