import Foundation
import Hosting
import Testing

/// Room in a file without a name.
@Suite struct SpillFileTests {
  private static let bytes = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 8) })

  private static func read(_ count: Int, at offset: Int, of area: Int, _ room: SpillFile) -> [UInt8] {
    var read = [UInt8](repeating: 0, count: count)
    read.withUnsafeMutableBytes { room.read($0, at: offset, inArea: area) }
    return read
  }

  @Test func `areas are apart from each other, and nothing of them has a name`() throws {
    let folder = TemporaryFolder()
    let room = try #require(SpillFile(in: ["/none", folder.path]))
    let areas = try (0..<3).map { _ in try #require(room.takeArea()) }

    for (number, area) in areas.enumerated() {
      #expect(room.reserve(200_000, inArea: area))
      Self.bytes.withUnsafeBytes { room.write($0, at: number * 50_000, inArea: area) }
    }

    for (number, area) in areas.enumerated() {
      #expect(Self.read(100_000, at: number * 50_000, of: area, room) == Self.bytes)
    }
    #expect(room.failure == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    room.giveBack(area: areas[1])
    #expect(room.takeArea() == areas[1])
  }

  @Test func `what can't be read is told, and a folder that can't have files has none`() throws {
    let room = try #require(SpillFile(in: ["/tmp"]))
    let area = try #require(room.takeArea())

    _ = Self.read(10, at: 0, of: area, room)

    #expect(room.failure == "input/output error")
    #expect(SpillFile(in: ["/none", "/proc"]) == nil)
    #expect(!room.reserve(.max / 2, inArea: area))
    var disk = statvfs()
    try #require(statvfs("/tmp", &disk) == 0)
    #expect(
      !room.reserve(Int(disk.f_bavail * disk.f_frsize) / 2, inArea: area), "half of what is free is too much")
    #expect(room.reserve(1_000_000, inArea: area))
  }
}
