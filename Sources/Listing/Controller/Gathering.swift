import Items

extension DataController {
  /// Ever increasing numbers.
  struct Counters: Sendable {
    var element = 0
    var section = 0
    var job = 0
    var revision = 0
  }

  /// Queries the source for what a change inserts, without changing anything.
  struct Gathering {
    private(set) var counters: Counters
    private(set) var fresh: [(id: ElementID, factory: Source.Factory)] = []
    private(set) var adopted: [Element<Source.Model>] = []
    private(set) var asynchronousCount = 0

    init(_ counters: Counters) { self.counters = counters }

    mutating func gather(
      _ paths: PathChanges, for controller: DataController, from source: Source
    ) throws -> ElementChange<Source> {
      let indices = paths.isReload ? Array(paths.newCounts.indices) : paths.newSections
      var sections = try indices.map { try section($0, source) }
      let reloaded = Dictionary(uniqueKeysWithValues: paths.sectionReloads.map { ($0.to, $0.from) })
      for (place, index) in indices.enumerated() {
        for item in 0..<paths.newCounts[index] {
          let old = reloaded[index].flatMap { section in
            paths.itemMaps[section].old(item).map { ItemPath(section: section, item: $0) }
          }
          let path = ItemPath(section: index, item: item)
          try sections[place].items.append(element(path, old, controller, source))
        }
      }
      let origins = Dictionary(uniqueKeysWithValues: paths.reloads.map { ($0.to, $0.from) })
      let items = try paths.newPaths.map { try element($0, origins[$0], controller, source) }
      for (place, index) in indices.enumerated() {
        sections[place].supplementaries = try supplementaries(index, source)
      }
      return ElementChange(
        paths: paths, sections: sections, items: items,
        supplementaries: try supplementaries(of: paths.touchedSections, source))
    }

    mutating func supplementaries(
      of sections: some Sequence<Int>, _ source: Source
    ) throws -> [Int: [String: [Element<Source.Model>]]] {
      var result: [Int: [String: [Element<Source.Model>]]] = [:]
      for section in sections { result[section] = try supplementaries(section, source) }
      return result
    }

    private mutating func section(_ index: Int, _ source: Source) throws -> ElementMap<Source>.Section {
      counters.section += 1
      return ElementMap<Source>.Section(
        id: counters.section, context: try source.context(ofSection: index), items: [], supplementaries: [:])
    }

    /// The element for a place: the old one if it adopts the new model, else a new one.
    private mutating func element(
      _ path: ItemPath, _ old: ItemPath?, _ controller: DataController, _ source: Source
    ) throws -> Element<Source.Model> {
      let model = try source.model(at: path)
      if let model, let old, var element = controller.pending[old],
        let product = controller.newestProduct(of: element.id),
        try source.canAdopt(model, product: product, from: old)
      {
        element.model = model
        adopted.append(element)
        return element
      }
      let factory = try source.factory(at: path)
      if try source.isAsynchronous(at: path) { asynchronousCount += 1 }
      return Element(id: add(factory), model: model)
    }

    private mutating func supplementaries(
      _ section: Int, _ source: Source
    ) throws -> [String: [Element<Source.Model>]] {
      var result: [String: [Element<Source.Model>]] = [:]
      for kind in try source.supplementaryKinds(ofSection: section) {
        let count = try source.supplementaryCount(of: kind, inSection: section)
        let elements = try (0..<count).map { item in
          let factory = try source.supplementaryFactory(of: kind, at: ItemPath(section: section, item: item))
          return Element<Source.Model>(id: add(factory), kind: kind)
        }
        if !elements.isEmpty { result[kind] = elements }
      }
      return result
    }

    private mutating func add(_ factory: Source.Factory) -> ElementID {
      counters.element += 1
      let id = ElementID(number: counters.element)
      fresh.append((id, factory))
      return id
    }
  }
}

extension PathChanges {
  /// New indices of old sections with inserted or deleted items, ascending: their supplementary elements are new.
  var touchedSections: [Int] {
    guard !isReload else { return [] }
    let left = deletions.map(\.path.section) + (reloads + movedItems).map(\.from.section)
    let entered = newPaths.map(\.section) + movedItems.map(\.to.section)
    return Set(left.compactMap { sectionMap.new($0) } + entered).subtracting(newSections).sorted()
  }
}
