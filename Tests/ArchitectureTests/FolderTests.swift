import Foundation
import Testing

/// The folders of a target are rooms with arrows one way, as the targets are: by the names that their files declare and use.
@Suite struct FolderTests {
  private static let maps: [String: FolderMap] = {
    let modules = Set(Repository.targets)
    var maps: [String: FolderMap] = [:]
    for target in Repository.targets {
      let files = Repository.files(below: "Sources/\(target)", endings: ["swift"])
      let texts = files.map {
        ($0.path.dropFirst("Sources/\(target)/".count), $0.text)
      }
      if !files.isEmpty {
        maps[target] = FolderMap(
          Dictionary(uniqueKeysWithValues: texts.map { (String($0), $1) }), of: target, among: modules)
      }
    }
    return maps
  }()

  /// Swift's targets, and those that are listed.
  private static let targets = Set(maps.keys).union(FolderCircles.circles.keys)
    .union(FolderCircles.reaches.keys).sorted()

  @Test(arguments: targets)
  func `the folders of a target form no circle but those that are listed`(target: String) throws {
    let map = try #require(Self.maps[target], "there is no such target in Sources")
    let found = map.circles + map.innerCircles
    let listed = FolderCircles.circles[target] ?? []

    let new = found.filter { !listed.contains($0.title) }
    let gone = listed.filter { title in !found.contains { $0.title == title } }

    let explained = new.map { "\(target) has a circle that is not listed: \($0.title)\n\($0.explanation)" }
      .joined(separator: "\n")
    #expect(new.isEmpty, "\(explained)\nfloors:\n\(map.floors)")
    #expect(gone == [], "\(target) has these circles no more: take them out of FolderCircles.swift")
    if ProcessInfo.processInfo.environment["LOOKAHEAD_FLOORS"] != nil { print("\(target)\n\(map.floors)\n") }
  }

  @Test(arguments: targets)
  func `no file extends a type of another folder to reach its state`(target: String) throws {
    let map = try #require(Self.maps[target], "there is no such target in Sources")
    let listed = FolderCircles.reaches[target] ?? []

    let new = map.reaches.filter { !listed.contains($0.title) }
    let gone = listed.filter { title in !map.reaches.contains { $0.title == title } }

    #expect(new.map { "\($0.title): \($0.witness)" } == [])
    #expect(gone == [], "\(target) has these no more: take them out of FolderCircles.swift")
  }

  @Test func `a circle is found, with a place for each of its arrows`() throws {
    let map = FolderMap(
      [
        "Upper/Roof.swift": "struct Roof {\n  let walls: [Wall]\n}",
        "Middle/Wall.swift": "public struct Wall {\n  var floor = Floor()\n}",
        "Lower/Floor.swift": "struct Floor {\n  func under(_ roof: Roof) {}\n}",
        "Cellar/Cellar.swift": "struct Cellar {}",
        "Lower/Steps.swift": "struct Steps { let down: Cellar }",
      ], of: "House")

    let circle = try #require(map.circles.first)

    #expect(map.circles.count == 1)
    #expect(circle.title == "Lower ⇄ Middle ⇄ Upper")
    #expect(
      circle.explanation == """
          Lower → Upper: Lower/Floor.swift:2: Roof
          Middle → Lower: Middle/Wall.swift:2: Floor
          Upper → Middle: Upper/Roof.swift:2: Wall
        """)
    #expect(map.floors == "1  (Lower ⇄ Middle ⇄ Upper)\n0  Cellar")
  }

  @Test func `folders without a circle stand on floors`() {
    let map = FolderMap(
      [
        "House.swift": "struct House { let roof: Roof }",
        "Upper/Roof.swift": "struct Roof { let wall = Wall(floor: standardFloor()) }",
        "Middle/Wall.swift": "struct Wall { let floor: Floor.Board }",
        "Lower/Floor.swift":
          "struct Floor { struct Board {} }\nfunc standardFloor() -> Floor.Board { .init() }",
        "Garden/Tree.swift": "struct Tree {}",
      ], of: "House")

    #expect(map.circles.isEmpty)
    #expect(map.floors == "3  .\n2  Upper\n1  Middle\n0  Garden, Lower")
  }

  @Test(
    arguments: [
      "/// Like a `Roof`. // Roof\n/* Roof /* nested */ Roof */ struct Wall {}",
      #"struct Wall { let text = "a Roof, \(1 + 1) Roof" }"#,
      "struct Wall { let text = \"\"\"\n  Roof \"Roof\"\n  \"\"\" }",
      ##"struct Wall { let text = #"Roof \(Roof) "Roof""# }"##,
      "struct Wall { struct Roof {}\n  let roof: Roof }",
      "private struct Roof {}\nstruct Wall { private let roof = Roof() }",
      "struct Wall<Roof> { let roof: Roof }",
      "struct Wall { enum Shape { case Roof }\n  let shape = Shape.Roof }",
      "struct Wall { let roof: Other.Roof }",
    ])
  func `a name that means something else is no arrow`(text: String) {
    let map = FolderMap(
      ["Upper/Roof.swift": "struct Roof {}", "Middle/Wall.swift": text], of: "House",
      among: ["House", "Other"])

    #expect(map.arrows.isEmpty)
  }

  @Test(
    arguments: [
      #"struct Wall { let text = "below \(Roof().name)" }"#,
      "extension Roof { var isHigh: Bool { true } }",
      "struct Wall { let roof: House.Roof }",
      "struct Wall { let tile: Roof.Tile }",
      "struct Wall { func build() { let roof = raiseRoof(); _ = roof } }",
      "struct Wall { var height = tallestRoof + 1 }",
    ])
  func `a name that means another folder's is an arrow`(text: String) {
    let roof = "struct Roof { struct Tile {} }\nfunc raiseRoof() -> Roof { Roof() }\nlet tallestRoof = 12"

    let map = FolderMap(["Upper/Roof.swift": roof, "Middle/Wall.swift": text], of: "House")

    #expect(map.arrows.keys.sorted() == ["Middle"])
    #expect(map.arrows["Middle"]?.keys.sorted() == ["Upper"])
  }

  @Test func `the folders of a room form no circle either`() {
    let map = FolderMap(
      [
        "Upper/Roof/Roof.swift": "struct Roof { let chimney: Chimney }",
        "Upper/Chimney/Chimney.swift": "struct Chimney { let roof: Roof }",
        "Upper/Attic.swift": "struct Attic { let roof: Roof }",
      ], of: "House")

    #expect(map.circles.isEmpty)
    #expect(map.innerCircles.map(\.title) == ["Upper: Chimney ⇄ Roof"])
  }

  @Test
  func `an extension that reaches the state of another folder's type is found, and one on its face is not`() {
    let roof = """
      public struct Roof {
        public let name: String
        private(set) var tiles: [Int] = []
        var height: Int { tiles.count }
        public mutating func add() {}
      }
      """

    let map = FolderMap(
      [
        "Upper/Roof.swift": roof,
        "Upper/Roof+Own.swift": "extension Roof { var isEmpty: Bool { tiles.isEmpty } }",
        "Middle/Face.swift": "extension Roof { var title: String { name.uppercased() + String(height) } }",
        "Middle/Reach.swift": "extension Roof {\n  var first: Int? { self.tiles.first }\n}",
      ], of: "House")

    #expect(
      map.reaches.map { "\($0.title): \($0.witness)" } == ["Roof ← Middle: Middle/Reach.swift:2: Roof.tiles"])
  }
}
