import Foundation

/// Items as a command wrote them.
struct Items {
  private let objects: [[String: Any]]

  /// Lines of JSON; nil when one is none.
  init?(lines text: String) {
    var objects: [[String: Any]] = []
    for line in text.split(separator: "\n") {
      guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
        return nil
      }
      objects.append(object)
    }
    self.objects = objects
  }

  var count: Int { objects.count }

  /// One member of every item, as text.
  func texts(_ name: String) -> [String] { objects.map { "\($0[name] ?? "")" } }

  /// The numbers of the fault server's items, whatever their ids are like.
  var numbers: [Int] {
    objects.compactMap { object in
      if let text = object["id"] as? String { return Int(text.suffix(12), radix: 16) }
      return (object["id"] as? Int).map { $0 > 1 << 53 ? $0 - 1 << 53 : $0 }
    }
  }
}

/// A text as JSON, nil when it is none.
func json(_ text: String) -> Any? {
  try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
}

/// An object on a line.
func object(_ text: String) -> [String: Any] { json(text) as? [String: Any] ?? [:] }
