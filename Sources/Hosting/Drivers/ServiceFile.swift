import Glibc
import Synchronization

/// The servers that a person has given names, as libpq knows them (`PGSERVICEFILE`, `~/.pg_service.conf`, the system's file).
///
/// Read before a script is: later the files are out of reach, as they should be, since passwords may be in them.
final class ServiceFile: Sendable {
  static let shared = ServiceFile()

  /// The settings of services by their names; nil until they were looked for.
  private let services = Mutex<[String: [PostgreSQLAddress.Setting]]?>(nil)

  /// Reads the files: that of the person counts first.
  func read() {
    var found: [String: [PostgreSQLAddress.Setting]] = [:]
    for path in ServiceFile.paths {
      found.merge(ServiceFile.services(DriverFolder.text(of: path))) { first, _ in first }
    }
    services.withLock { [found] in $0 = found }
  }

  /// The settings of a service; nil if there is none of that name.
  func settings(of name: String) -> [PostgreSQLAddress.Setting]? {
    if services.withLock({ $0 == nil }) { read() }
    return services.withLock { $0?[name] }
  }

  /// Where libpq looks, in its order.
  static var paths: [String] {
    let own = hostVariable("PGSERVICEFILE") ?? hostVariable("HOME").map { "\($0)/.pg_service.conf" }
    let system = hostVariable("PGSYSCONFDIR") ?? "/etc/postgresql-common"
    return [own, "\(system)/pg_service.conf"].compactMap(\.self)
  }

  /// `[name]`, and lines `setting=value` below it; the first section of a name counts.
  private static func services(_ text: String) -> [String: [PostgreSQLAddress.Setting]] {
    var services: [String: [PostgreSQLAddress.Setting]] = [:]
    var name: String?
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.drop { $0 == " " || $0 == "\t" }
      if line.hasPrefix("#") { continue }
      if line.hasPrefix("[") {
        let section = String(line.dropFirst().prefix { $0 != "]" })
        name = services[section] == nil ? section : nil
        if let name { services[name] = [] }
      } else if let name, let equals = line.firstIndex(of: "="), !line.hasPrefix("ldap") {
        let value = line[line.index(after: equals)...].reversed().drop(while: \.isWhitespace).reversed()
        services[name]?.append(.init(name: String(line[..<equals]), value: String(value)))
      }
    }
    return services
  }
}
