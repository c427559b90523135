/// The collection: change sets by hand, or computed.
extension APIDescription {
  static let collectionClasses = [
    APIClass(
      "CollectionKeys", "lookahead.collection", .keys,
      "The contents of a collection: data, or functions that return it.",
      fields: [
        APIField("data?: any[][]", "Sections of items, read when they change."),
        APIField("numberOfSections?: (fun(): integer) = 1", "Instead of data: the number of sections."),
        APIField(
          "numberOfItems?: fun(section: integer): integer",
          "Instead of data: the number of items in a section."),
        APIField("item?: fun(section: integer, position: integer): any", "Instead of data: an item."),
        APIField("id?: string|fun(item: any): ID", "The identity of an item, for `collection:apply`."),
        APIField(
          "moves?: \"real\"|\"split\" = \"real\"",
          "Whether a move stays a move, or becomes a delete and an insert."),
      ]),
    APIClass(
      "Collection", "collection", .object,
      "Sections of items with a reader that applies change after change.",
      fields: [
        APIField("data?: any[][]", "Its initial or last data."),
        APIField("pending: any[][]", "The newest data."),
        APIField("visible: any[][]", "What its reader shows."),
      ],
      methods: collectionMethods + operations),
    APIClass(
      "Updates", "updates", .object, "The operations of one change set, while its function runs.",
      methods: operations),
    APIClass(
      "ApplyKeys", "collection:apply", .keys, "How a difference is found.",
      fields: [APIField("id?: string|fun(item: any): ID", "The identity of an item.")]),
    APIClass(
      "ChangeSet", "changeSet", .object,
      "The changes from old to new data, in the order they are applied.",
      fields: [
        APIField("isReload: boolean", "Whether everything is reloaded; then the other fields are empty.")
      ]
        + changes
        + [
          APIField("updatedItems: ItemPath[]", "Items that moved and changed, at their new places."),
          APIField("sectionMap: IndexMap", "Old sections to new ones and back."),
          APIField("itemMaps: IndexMap[]", "The same for the items of each section."),
        ]),
    APIClass(
      "Operations", "operations", .object, "What turns one list into another.",
      fields: [APIField("isEmpty: boolean", "Whether nothing changes.")] + changes
        + [APIField("reloadedItems: ItemPath[]", "Changed items, at their old places.")]),
    APIClass(
      "ItemMove", "move", .object, "A moved item.",
      fields: [APIField("from: ItemPath", "Before."), APIField("to: ItemPath", "After.")]),
    APIClass(
      "SectionMove", "sectionMove", .object, "A moved section.",
      fields: [APIField("from: integer", "Before."), APIField("to: integer", "After.")]),
  ]

  private static let changes = [
    APIField("deletedItems: ItemPath[]", "Places in the old data, last first."),
    APIField("deletedSections: integer[]", "The same for sections."),
    APIField("insertedSections: integer[]", "Places in the new data, first first."),
    APIField("insertedItems: ItemPath[]", "The same for items."),
    APIField("movedItems: ItemMove[]", "Items that moved."),
    APIField("movedSections: SectionMove[]", "The same for sections."),
  ]

  private static let collectionMethods = [
    APIFunction(
      "performBatchUpdates(f?: fun(updates: Updates), completion?: fun(finished: boolean))",
      "Calls f, which changes the data and submits its updates: one change set, even if nested."
    ),
    APIFunction("beginUpdates()", "Begins a change set, or one nested in it."),
    APIFunction("endUpdates(completion?: fun(finished: boolean))", "Ends what `beginUpdates` began."),
    APIFunction(
      "apply(newData: any[][], options?: ApplyKeys, completion?: fun(finished: boolean))",
      "Replaces the data, with the change set that leads there."),
    APIFunction("lastChangeSet(): ChangeSet?", "The last submitted change set; nil before the first."),
    APIFunction("wait()", waits: true, "Waits until everything pending is visible."),
  ]

  private static let operations = [
    APIFunction("insertItems(paths: ItemPath[])", "Inserts items, at their places after the update."),
    APIFunction("deleteItems(paths: ItemPath[])", "Deletes items, at their places before the update."),
    APIFunction(
      "reloadItems(paths: ItemPath[])", "Reloads changed items, at their places before the update."),
    APIFunction("moveItem(from: ItemPath, to: ItemPath)", "A moved item."),
    APIFunction(
      "insertSections(sections: integer[])", "Inserts sections, at their places after the update."),
    APIFunction(
      "deleteSections(sections: integer[])", "Deletes sections, at their places before the update."),
    APIFunction(
      "reloadSections(sections: integer[])",
      "Reloads changed sections, at their places before the update."),
    APIFunction("moveSection(from: integer, to: integer)", "A moved section."),
    APIFunction("reloadData()", "Reloads everything."),
  ]
}
