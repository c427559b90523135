import Items
import Listing
import Paging

/// Sections of names, which logs what it is asked.
final class ListSource: ElementSource {
  struct Failure: Error {}

  var sections: [[String]]
  var generation = 1
  var headers: [Int] = []
  var adoptsModels = false
  var fails = false
  private(set) var calls: [String] = []

  init(_ sections: [[String]]) { self.sections = sections }

  convenience init(counts: [Int]) {
    self.init(counts.enumerated().map { section, count in (0..<count).map { "\(section).\($0)" } })
  }

  func takeCalls() -> [String] {
    defer { calls = [] }
    return calls
  }

  func sectionCount() -> Int {
    calls.append("section_count")
    return sections.count
  }

  func itemCount(ofSection section: Int) -> Int {
    calls.append("item_count \(section)")
    return sections[section].count
  }

  func context(ofSection section: Int) -> Int {
    calls.append("context \(section)")
    return generation
  }

  func model(at path: ItemPath) throws -> String? {
    calls.append("model (\(path.section),\(path.item))")
    if fails { throw Failure() }
    return sections[path.section][path.item]
  }

  func canAdopt(_ model: String, product: String, from old: ItemPath) -> Bool {
    if adoptsModels { calls.append("can_update old (\(old.section),\(old.item))") }
    return adoptsModels
  }

  func factory(at path: ItemPath) -> String {
    calls.append("factory (\(path.section),\(path.item))")
    return sections[path.section][path.item]
  }

  func supplementaryKinds(ofSection section: Int) -> [String] { ["header"] }

  func supplementaryCount(of kind: String, inSection section: Int) -> Int {
    headers.indices.contains(section) ? headers[section] : 0
  }

  func supplementaryFactory(of kind: String, at path: ItemPath) -> String {
    "\(kind) \(path.section).\(path.item)"
  }
}
