import Foundation
import Hosting
import Paging
import Testing

/// In a folder of its own: `granted/` with `a.txt`, `sub/` and several symlinks, and `secret/b.txt` beside it.
@Suite final class PermissionsPathTests {
  private let root: String
  private let permissions: Permissions

  init() throws {
    root = URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path + "/paths-\(UUID())"
    permissions = Permissions(
      read: Access(.only(["\(root)/granted"]), denied: .only(["\(root)/granted/denied"])),
      write: Access(.only(["\(root)/granted/sub"])))
    for folder in ["granted/sub", "granted/denied", "granted-too", "secret"] {
      try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
    }
    for (link, target) in [
      ("granted/out", "\(root)/secret"), ("granted/up", ".."), ("granted/dangling", "\(root)/secret/new.txt"),
      ("granted/within", "sub"), ("granted/circle", "circle"), ("granted/twice", "up/secret"),
      ("secret/back", "../granted"), ("granted/sub/secretlyDenied", "../denied"),
    ] {
      try FileManager.default.createSymbolicLink(atPath: "\(root)/\(link)", withDestinationPath: target)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  @Test(arguments: [
    "granted", "granted/", "granted/a.txt", "granted/sub/x", "granted/sub/../a.txt", "granted/./a.txt",
    "granted//a.txt", "secret/../granted/a.txt", "granted/within/x", "granted/not/there/yet",
    "secret/back/a.txt",
    "granted/up/granted/a.txt", "granted/..a", "granted/...",
  ])
  func `what is below a granted folder may be read`(path: String) {
    #expect(permissions.checkRead("\(root)/\(path)", for: "fs.read") == nil)
  }

  @Test(arguments: [
    "secret/b.txt", "granted/../secret/b.txt", "granted/sub/../../secret/b.txt", "granted/out/b.txt",
    "granted/out", "granted/up/secret/b.txt", "granted/dangling", "granted/twice/b.txt", "granted-too/x",
    "grante",
    "granted/none/../../secret/b.txt", "granted/denied", "granted/denied/x", "granted/sub/../denied/x",
    "granted/sub/secretlyDenied/x", "granted/within/secretlyDenied", "Granted/a.txt", "granted\u{301}/a.txt",
    "granted/\u{301}/../../secret", "granted/sub/../../../../../../../../etc/passwd",
  ])
  func `what only looks as if it were below may not be read`(path: String) {
    #expect(permissions.checkRead("\(root)/\(path)", for: "fs.read")?.code == .denied)
  }

  @Test(arguments: ["granted/sub", "granted/sub/new.txt", "granted/within/new.txt"])
  func `writing has grants of its own`(path: String) {
    #expect(permissions.checkWrite("\(root)/\(path)", for: "fs.write") == nil)
  }

  @Test(arguments: ["granted/a.txt", "granted/dangling", "granted/sub/../a.txt", "granted/within/../a.txt"])
  func `to read is not to write`(path: String) {
    #expect(permissions.checkWrite("\(root)/\(path)", for: "fs.write")?.code == .denied)
  }

  @Test func `two spellings of one letter are two names`() throws {
    let permissions = Permissions(read: Access(.only(["\(root)/caf\u{E9}"])))

    #expect(permissions.checkRead("\(root)/caf\u{E9}/x", for: "fs.read") == nil)
    #expect(permissions.checkRead("\(root)/cafe\u{301}/x", for: "fs.read")?.code == .denied)
  }

  @Test func `a circle of links and a path with a NUL are no paths`() {
    #expect(permissions.checkRead("\(root)/granted/circle", for: "fs.read")?.code == .invalid)
    #expect(permissions.checkRead("\(root)/granted/a\0/../../secret", for: "fs.read")?.code == .invalid)
    #expect(permissions.checkRead("", for: "fs.read")?.code == .invalid)
    let long = String(repeating: "a/", count: 5_000_000)
    #expect(permissions.checkRead(long, for: "fs.read")?.code == .invalid)
  }

  @Test func `a refusal names the call, the file it would reach, and the option`() {
    let straight = permissions.checkRead("\(root)/secret/b.txt", for: "fs.read")
    let linked = permissions.checkRead("\(root)/granted/out/b.txt", for: "fs.lines")
    let denied = permissions.checkRead("\(root)/granted/denied/x", for: "fs.read")
    let written = permissions.checkWrite("\(root)/secret/b.txt", for: "fs.write")

    #expect(
      straight
        == HostFailure(
          .denied, "fs.read may not read \(root)/secret/b.txt: it was not granted",
          needs: "--allow-read=\(root)/secret/b.txt"))
    #expect(
      linked?.message
        == "fs.lines may not read \(root)/granted/out/b.txt (which is \(root)/secret/b.txt): it was not granted"
    )
    #expect(
      denied
        == HostFailure(.denied, "fs.read may not read \(root)/granted/denied/x: --deny-read forbids it"))
    #expect(written?.needs == "--allow-write=\(root)/secret/b.txt")
  }

  @Test func `a relative path counts from the current folder`() {
    let permissions = Permissions(read: Access(.only(["."])))

    #expect(permissions.checkRead("some/file", for: "fs.read") == nil)
    #expect(permissions.checkRead(FileManager.default.currentDirectoryPath + "/x", for: "fs.read") == nil)
    #expect(permissions.checkRead("../file", for: "fs.read")?.code == .denied)
  }

  @Test func `the standard is reading below the script's folder and nothing else`() {
    let permissions = Permissions.standard(scriptFolder: "\(root)/granted")

    #expect(permissions.checkRead("\(root)/granted/a.txt", for: "fs.read") == nil)
    #expect(permissions.checkWrite("\(root)/granted/a.txt", for: "fs.write")?.code == .denied)
    #expect(permissions.checkNet("http://127.0.0.1/", for: "http.get")?.code == .denied)
    #expect(permissions.checkEnvironment("HOME", for: "env.get")?.code == .denied)
  }

  @Test func `a variable is granted by its whole name`() {
    let permissions = Permissions(environment: Access(.only(["HOME"]), denied: .only(["AWS_SECRET"])))

    #expect(permissions.checkEnvironment("HOME", for: "env.get") == nil)
    #expect(permissions.checkEnvironment("HOMER", for: "env.get")?.code == .denied)
    #expect(
      permissions.checkEnvironment("home\u{1B}[2J", for: "env.get")?.message
        == "env.get may not read the variable home\\u{1b}[2J: it was not granted")
    #expect(permissions.checkEnvironment("AWS_SECRET", for: "env.get")?.needs == nil)
  }
}
