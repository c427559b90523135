import ArgumentParser
import Hosting

/// Where a collector takes traces and metrics.
struct CollectorAddress: Sendable {
  let url: String

  /// Without a login.
  var shown: String { SecretMask().masked(url: url) }

  init?(_ text: String) {
    guard (try? HTTPAddress(text)) != nil, !text.contains("?"), !text.contains("#") else { return nil }
    url = text.hasSuffix("/") ? String(text.dropLast()) : text
  }
}

extension CollectorAddress: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}
