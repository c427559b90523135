/// The collection: change sets by hand, or computed.
extension APIDescription {
  static let collectionClasses = [
    APIClass(
      "CollectionKeys", "lookahead.collection", .keys,
      "What a collection is made of: data, or functions that give them.",
      fields: [
        APIField("data?: any[][]", "Sections of items, read when they change."),
        APIField("numberOfSections?: (fun(): integer) = 1", "Instead of data: how many sections there are."),
        APIField(
          "numberOfItems?: fun(section: integer): integer", "Instead of data: how many items a section has."),
        APIField("item?: fun(section: integer, position: integer): any", "Instead of data: an item."),
        APIField("id?: string|fun(item: any): ID", "What makes two items the same, for `collection:apply`."),
        APIField(
          "moves?: \"real\"|\"split\" = \"real\"",
          "Whether a move stays one, or becomes a delete and an insert."),
      ]),
    APIClass(
      "Collection", "collection", .object, "Sections of items with a reader that shows change after change.",
      fields: [
        APIField("data?: any[][]", "What it was made of, or was given last."),
        APIField("pending: any[][]", "The newest data."),
        APIField("visible: any[][]", "What its reader shows."),
      ],
      methods: collectionMethods + operations),
    APIClass(
      "Updates", "updates", .object, "The operations of one change set, while its function runs.",
      methods: operations),
    APIClass(
      "ApplyKeys", "collection:apply", .keys, "How a difference is found.",
      fields: [APIField("id?: string|fun(item: any): ID", "What makes two items the same.")]),
    APIClass(
      "ChangeSet", "changeSet", .object,
      "What turned the data before into the data after, in the order of applying.",
      fields: [APIField("isReload: boolean", "Whether everything is read again, instead of all below.")]
        + changes
        + [
          APIField("updatedItems: ItemPath[]", "Items that moved and look different, at their new places."),
          APIField("sectionMap: IndexMap", "Old sections to new ones and back."),
          APIField("itemMaps: IndexMap[]", "The same for the items of each section."),
        ]),
    APIClass(
      "Operations", "operations", .object, "What turns one list into another.",
      fields: [APIField("isEmpty: boolean", "Whether nothing differs.")] + changes
        + [APIField("reloadedItems: ItemPath[]", "Items that look different, at their old places.")]),
    APIClass(
      "ItemMove", "move", .object, "An item that changed its place.",
      fields: [APIField("from: ItemPath", "Before."), APIField("to: ItemPath", "After.")]),
    APIClass(
      "SectionMove", "sectionMove", .object, "A section that changed its place.",
      fields: [APIField("from: integer", "Before."), APIField("to: integer", "After.")]),
  ]

  private static let changes = [
    APIField("deletedItems: ItemPath[]", "Places in the old data, the last first."),
    APIField("deletedSections: integer[]", "The same for sections."),
    APIField("insertedSections: integer[]", "Places in the new data, the first first."),
    APIField("insertedItems: ItemPath[]", "The same for items."),
    APIField("movedItems: ItemMove[]", "Items that stay and change their place."),
    APIField("movedSections: SectionMove[]", "The same for sections."),
  ]

  private static let collectionMethods = [
    APIFunction(
      "performBatchUpdates(f?: fun(updates: Updates), completion?: fun(finished: boolean))",
      "Calls f, which changes the data and tells its updates of it: all of it is one change set, also when nested."
    ),
    APIFunction("beginUpdates()", "Begins a change set by hand, or one inside it."),
    APIFunction("endUpdates(completion?: fun(finished: boolean))", "Ends what `beginUpdates` began."),
    APIFunction(
      "apply(newData: any[][], options?: ApplyKeys, completion?: fun(finished: boolean))",
      "Makes these the data, with the change set that leads to them."),
    APIFunction("lastChangeSet(): ChangeSet?", "The last change set that was taken; nil before the first."),
    APIFunction("wait()", waits: true, "Waits until everything pending is visible."),
  ]

  private static let operations = [
    APIFunction("insertItems(paths: ItemPath[])", "Items that are new, at their places after the update."),
    APIFunction("deleteItems(paths: ItemPath[])", "Items that are gone, at their places before the update."),
    APIFunction(
      "reloadItems(paths: ItemPath[])", "Items that look different, at their places before the update."),
    APIFunction("moveItem(from: ItemPath, to: ItemPath)", "An item that changed its place."),
    APIFunction(
      "insertSections(sections: integer[])", "Sections that are new, at their places after the update."),
    APIFunction(
      "deleteSections(sections: integer[])", "Sections that are gone, at their places before the update."),
    APIFunction(
      "reloadSections(sections: integer[])",
      "Sections that look different, at their places before the update."),
    APIFunction("moveSection(from: integer, to: integer)", "A section that changed its place."),
    APIFunction("reloadData()", "Everything may be different: it is read again."),
  ]
}
