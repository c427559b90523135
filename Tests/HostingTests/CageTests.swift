import Hosting
import Paging
import Testing

@Suite struct CageTests {
  private func cage(net patterns: [String]) throws -> Cage {
    var permissions = Permissions()
    permissions.net = Access(.only(try patterns.map { try NetPattern($0) }))
    return Cage(permissions, scriptFolder: "/feeds")
  }

  @Test func `nothing granted is the script's folder and no net`() {
    let cage = Cage(.standard(scriptFolder: "/feeds"), scriptFolder: "/feeds")

    #expect(cage.reading == .only(["/feeds", "/feeds"]))
    #expect(cage.writing == .none)
    #expect(cage.net == .none)
  }

  @Test func `ports are limited where every host has one`() throws {
    #expect(
      try cage(net: ["127.0.0.1:8001", "[::1]:80"]).net == .tcp(ports: [80, 8001], looksUpNames: false))
    #expect(try cage(net: ["127.0.0.1:8001", "[::1]"]).net == .tcp(ports: nil, looksUpNames: false))
  }

  @Test func `names are looked up where a host has one`() throws {
    #expect(try cage(net: ["*.example.com:443"]).net == .tcp(ports: [443], looksUpNames: true))
    #expect(Cage(.all, scriptFolder: "/").net == .tcp(ports: nil, looksUpNames: true))
  }

  @Test func `who may write everything may read it, since a database is read to be written`() {
    let cage = Cage(Permissions(write: Access(.all)), scriptFolder: "/feeds")

    #expect(cage.reading == .all)
  }

  @Test(arguments: [
    (0, "no Landlock"), (1, "emptying files"), (3, "ports of TCP"), (4, "commands to devices"),
    (5, "signals"),
  ])
  func `what an older kernel lacks is told`(version: Int, words: String) {
    let kernel = CageKernel(landlock: version, filtersCalls: true, hasNoNewPrivileges: true)

    #expect(kernel.lacks.count == 1)
    #expect(kernel.lacks[0].contains(words))
  }

  @Test func `a kernel without a filter lacks it, a newer one nothing`() {
    let bare = CageKernel(landlock: 7, filtersCalls: false, hasNoNewPrivileges: false)

    #expect(bare.lacks.count == 2)
    #expect(CageKernel(landlock: 7, filtersCalls: true, hasNoNewPrivileges: true).lacks == [])
  }
}
