import Foundation

/// Cases that are data: one JSON array per file.
func cases<Case: Decodable>(_ file: String) -> [Case] {
  let url = Bundle.module.url(forResource: file, withExtension: "json", subdirectory: "Cases")!
  return try! JSONDecoder().decode([Case].self, from: Data(contentsOf: url))
}
