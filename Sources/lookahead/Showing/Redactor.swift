import Hosting

/// Keeps secrets out of what is shown, in each form that they take on the way.
final class Redactor {
  private let mask: SecretMask

  init(_ secrets: [String] = []) { mask = SecretMask(secrets) }

  /// Hides one more secret from here on.
  func add(_ secret: String) { mask.add(secret) }

  func redacted(_ text: String) -> String { mask.masked(text) }
}
