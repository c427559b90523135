extension Arrangement {
  /// Rearranges sections of elements; `fresh` gives the elements of a run that the change brings, and that
  /// begins at the path.
  ///
  /// A section that only grows at its end is appended to where it is, so it costs what is appended.
  func apply<Element>(
    to sections: inout [[Element]], fresh: (_ run: Run, _ path: ItemPath) -> [Element]
  ) {
    let parts = self.sections.indices.map { part($0, sections, fresh) }
    var result: [[Element]] = []
    result.reserveCapacity(parts.count)
    for (index, part) in parts.enumerated() {
      guard part.keepsBeginning, let origin = self.sections[index].origin else {
        result.append(part.elements)
        continue
      }
      var section: [Element] = []
      swap(&section, &sections[origin])
      section.append(contentsOf: part.elements)
      result.append(section)
    }
    sections = result
  }

  /// Whether a new section begins with all of the old one that it was.
  private func keepsBeginning(_ section: Section, _ counts: (Int) -> Int) -> Bool {
    guard let origin = section.origin else { return false }
    let count = counts(origin)
    if count == 0 { return true }
    guard let first = section.runs.first else { return false }
    return first.source == .old(origin) && first.range == 0..<count
  }

  /// The elements of a new section, without those of the old one where it begins with all of them.
  private func part<Element>(
    _ index: Int, _ sections: [[Element]], _ fresh: (Run, ItemPath) -> [Element]
  ) -> (keepsBeginning: Bool, elements: [Element]) {
    let section = self.sections[index]
    let keeps = keepsBeginning(section) { sections[$0].count }
    let start = keeps ? sections[section.origin!].count : 0
    var position = start
    var elements: [Element] = []
    for run in section.runs.dropFirst(start > 0 ? 1 : 0) {
      switch run.source {
      case .old(let origin): elements.append(contentsOf: sections[origin][run.range])
      case .fresh: elements += fresh(run, ItemPath(section: index, item: position))
      }
      position += run.range.count
    }
    return (keeps, elements)
  }
}
