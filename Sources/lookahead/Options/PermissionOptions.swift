import ArgumentParser
import Hosting
import Paging

/// Hosts to allow, for commands without a script of the user's.
struct HostOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Hosts that may be called beside that of the URL, after = as api.example.com,*.example.org:8080; without a value all.",
      valueName: "hosts"))
  var allowNet: [String] = []

  @Option(help: ArgumentHelp("Hosts that may not be called, whatever is allowed.", valueName: "hosts"))
  var denyNet: [String] = []

  func validate() throws { _ = try permissions.permissions(scriptFolder: "/") }

  /// The same among all permissions.
  var permissions: PermissionOptions {
    get throws {
      var options = try PermissionOptions.parse([])
      options.allowNet = allowNet
      options.denyNet = denyNet
      return options
    }
  }
}

/// What a script may access. By default it reads below its own directory, and its items go to the output.
struct PermissionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Hosts that may be called, after = as api.example.com,*.example.org:8080; without a value all.",
      valueName: "hosts"))
  var allowNet: [String] = []

  @Option(
    help: ArgumentHelp(
      "Files and folders that may be read, after =; without a value all.", valueName: "paths"))
  var allowRead: [String] = []

  @Option(
    help: ArgumentHelp(
      "Files and folders that may be written, after =; without a value all.", valueName: "paths"))
  var allowWrite: [String] = []

  @Option(
    help: ArgumentHelp(
      "Variables of the environment that may be read, after =; without a value all.", valueName: "names"))
  var allowEnv: [String] = []

  @Flag(name: [.customShort("A"), .long], help: "Allow everything.")
  var allowAll = false

  @Option(help: ArgumentHelp("Hosts that may not be called, whatever is allowed.", valueName: "hosts"))
  var denyNet: [String] = []

  @Option(help: ArgumentHelp("Files and folders that may not be read.", valueName: "paths"))
  var denyRead: [String] = []

  @Option(help: ArgumentHelp("Files and folders that may not be written.", valueName: "paths"))
  var denyWrite: [String] = []

  @Option(help: ArgumentHelp("Variables that may not be read.", valueName: "names"))
  var denyEnv: [String] = []

  func validate() throws { _ = try permissions(scriptFolder: "/") }

  /// The permissions of a run of a script in that folder.
  func permissions(scriptFolder: String) throws -> Permissions {
    let folder = allowAll ? Permissions.all : Permissions.standard(scriptFolder: scriptFolder)
    var permissions = folder
    permissions.net = try access(allowNet, denyNet, folder.net, name: "net") { text throws(ValidationError) in
      do throws(HostFailure) {
        return try NetPattern(text)
      } catch {
        throw ValidationError("--allow-net \(text): \(error.message)")
      }
    }
    permissions.read = try access(allowRead, denyRead, folder.read, name: "read") { $0 }
    permissions.write = try access(allowWrite, denyWrite, folder.write, name: "write") { $0 }
    permissions.environment = try access(allowEnv, denyEnv, folder.environment, name: "env") { $0 }
    return permissions
  }

  private func access<Entry>(
    _ allowed: [String], _ denied: [String], _ standard: Access<Entry>, name: String,
    _ entry: (String) throws -> Entry
  ) throws -> Access<Entry> {
    var access = standard
    access.granted = try grant(allowed, onTopOf: standard.granted, entry)
    access.denied = try grant(denied, onTopOf: .none, entry)
    return access
  }

  private func grant<Entry>(
    _ given: [String], onTopOf standard: Grant<Entry>, _ entry: (String) throws -> Entry
  ) throws -> Grant<Entry> {
    let names = given.flatMap { $0.split(separator: ",").map(String.init) }
    if names.contains("*") || standard == .all { return .all }
    guard !names.isEmpty else { return standard }
    var entries = try names.map(entry)
    if case .only(let before) = standard { entries = before + entries }
    return .only(entries)
  }
}
