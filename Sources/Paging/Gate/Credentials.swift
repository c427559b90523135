/// What of a request is meant for the server alone that its script names, and may go to no other that an answer leads to: by a
/// redirect, or by the link to a next page.
///
///     Credentials.stay("https://api.example.com/items", and: "https://other.example/items")   // false
///     Credentials.mayBe("X-Api-Key")                                                            // true
public enum Credentials {
  /// Whether both addresses are of one origin: scheme, host and port. The same host upgraded to encryption is one, too.
  public static func stay(_ url: String, and target: String) -> Bool {
    URLOrigin(url).isSame(as: URLOrigin(target))
  }

  /// Whether a header may be a credential, whatever its name: it does not only describe the wanted response.
  public static func mayBe(_ header: String) -> Bool { !harmless.contains(header.lowercased()) }

  private static let harmless: Set = [
    "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "user-agent",
  ]
}
