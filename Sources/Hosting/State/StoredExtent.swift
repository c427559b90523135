import Paging

/// An extent as state keeps it: the place in a packed file is before the layout, as `packed TEXT ENDING LAYOUT`.
extension TextState.Extent {
  var storedLayout: String? {
    guard let place = packed else { return layout }
    let layout = layout.map { " \($0)" } ?? ""
    return "\(PackedText.Place.mark)\(length) .\(place.ending.hexadecimal)\(layout)"
  }

  /// Reads what was stored for so many bytes of a file.
  init(stored length: Int, _ layout: String?) throws(HostFailure) {
    guard let layout, layout.hasPrefix(PackedText.Place.mark) else {
      self.init(length: length, layout: layout)
      return
    }
    let parts = layout.split(separator: " ", maxSplits: 3).map(String.init)
    guard parts.count >= 3, let count = Int(parts[1]), count >= 0, parts[2].hasPrefix("."),
      let ending = [UInt8](hexadecimal: parts[2].dropFirst())
    else { throw .damaged("layout") }
    self.init(length: count, layout: parts.count > 3 ? parts[3] : nil)
    packed = PackedText.Place(length: length, ending: ending)
  }
}

extension TextState {
  /// What an earlier run has left of each file.
  static func files(in database: Database) throws -> [String: Known] {
    var files: [String: Known] = [:]
    for row in try database.rows(sql: "SELECT * FROM _lookahead_files ORDER BY name, form") {
      let fields = StoredFields(row)
      let extent = try Extent(stored: try fields.count("length"), try fields.textIfAny("layout"))
      let (name, chain) = (try fields.text("name"), try fields.count("chain"))
      files[name, default: Known(chain: chain, forms: [])].forms.append((extent, try fields.text("digest")))
    }
    return files
  }
}
