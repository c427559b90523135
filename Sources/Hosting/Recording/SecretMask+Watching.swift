import Items
public import Paging

/// Learns secrets from the calls of a run that is shown while it goes on, as recording them would.
public struct CallSecrets {
  private let mask: SecretMask
  private var headers: [HTTPHeader] = []
  private var requests = 0
  /// Addresses that are all read, and how few of the others are: a secret is in many of them, or in none.
  private static let (readAtFirst, readSeldom) = (200, 32)

  /// Secrets are added to the mask.
  public init(_ mask: SecretMask) { self.mask = mask }

  /// Learns from a call before it is made.
  public mutating func heed(_ call: HostCall) {
    guard case .http(let request) = call else { return }
    requests += 1
    if request.headers != headers {
      headers = request.headers
      for header in headers { mask.learn(header) }
    }
    if requests <= Self.readAtFirst || requests % Self.readSeldom == 0 { mask.learn(url: request.url) }
  }

  /// Learns from the answer to a call for a variable of the environment with that name.
  public mutating func heed(_ reply: HostReply, toVariable name: String) {
    guard case .text(let text?) = reply, SecretNames.isSecret(variable: name), text.utf8.count >= 4 else {
      return
    }
    mask.add(text)
  }
}
