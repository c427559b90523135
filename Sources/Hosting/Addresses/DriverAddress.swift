public import Paging

/// A driver by its name, or by the path of its library, with the options of its database: `adbc:NAME?key=value&key=value`.
public struct DriverAddress: Sendable, Equatable {
  /// An option, as the driver calls it.
  struct Option: Sendable, Equatable {
    let name: String
    let value: String
  }

  /// The name of a driver, or the absolute or relative path of a library.
  let driver: String
  let options: [Option]
  /// Texts that are never shown.
  public let secrets: [String]
  /// The names of secrets that stand in it.
  public let secretNames: [String]

  /// Whether a text is meant for one.
  public static func isMeant(by text: String) -> Bool { text.hasPrefix("adbc:") }

  /// Reads an address; with secrets, their names in braces stand for them.
  public init(_ given: String, secrets known: [String: String]? = nil) throws(HostFailure) {
    let rest = given.dropFirst("adbc:".count)
    let front = rest.prefix { $0 != "?" }
    var text = AddressText(secrets: known)
    var options: [Option] = []
    var secrets: [String] = []
    do throws(AddressText.Mistake) {
      let name = try text.decoded(front)
      guard DriverAddress.isMeant(by: given), name.contains("/") || DriverAddress.isName(name) else {
        throw .init(expected: "the name of a driver, or the path of its library, as adbc:NAME?key=value")
      }
      driver = name
      for pair in rest[front.endIndex...].dropFirst().split(separator: "&") {
        let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = try text.decoded(sides[0])
        let value = try text.decoded(sides.count > 1 ? sides[1] : "")
        options.append(Option(name: name, value: value))
        if SecretNames.isSecret(parameter: name) {
          secrets += [value]
        } else if let address = try? PostgreSQLAddress(value) {
          secrets += address.secrets
        } else if let login = DriverAddress.login(value)?.split(separator: ":").last {
          secrets.append(String(login))
        }
      }
    } catch {
      throw HostFailure(
        .invalid,
        "adbc:\(front.contains("@") ? "…" : String(front).escapingControls): expected \(error.expected)")
    }
    self.options = options
    secretNames = text.names
    self.secrets = (secrets + text.values).filter { !$0.isEmpty }
  }

  /// Whether it is a library by its path.
  var isPath: Bool { driver.contains("/") }

  /// For messages: without the options, which may be secret.
  public var shown: String { "adbc:\(driver)".escapingControls }

  /// What a URL has before its host.
  private static func login(_ value: String) -> Substring? {
    guard value.contains("://"), let at = value.lastIndex(of: "@") else { return nil }
    return value[..<at]
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        0x61...0x7A ~= $0 || 0x41...0x5A ~= $0 || 0x30...0x39 ~= $0 || "_-".utf8.contains($0)
      }
  }
}
