import Items
import Listing
import Paging

/// One section of numbers, of which texts are made.
struct NumberRows: ElementSource {
  var numbers: [Int]

  func sectionCount() -> Int { 1 }
  func itemCount(ofSection section: Int) -> Int { numbers.count }
  func context(ofSection section: Int) -> Int { 0 }
  func model(at path: ItemPath) -> Int? { numbers[path.item] }
  func factory(at path: ItemPath) -> Int { numbers[path.item] }
  func canAdopt(_ model: Int, product: String, from old: ItemPath) -> Bool { true }

  /// What is made of a number, for the reader to see.
  static func text(of work: Job<NumberRows>.Work) -> String {
    switch work {
    case .make(let number), .adopt(let number, _): "\(number)"
    }
  }
}
