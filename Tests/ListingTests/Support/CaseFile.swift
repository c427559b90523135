import Foundation

/// Cases that are data: one JSON array per suite.
func cases<Case: Decodable>(_ suite: String) -> [Case] {
  let url = Bundle.module.url(forResource: suite, withExtension: "json", subdirectory: "Cases")!
  return try! JSONDecoder().decode([Case].self, from: Data(contentsOf: url))
}
