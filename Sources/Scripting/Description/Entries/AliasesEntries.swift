/// Names for types.
extension APIDescription {
  /// Named types that are not tables of their own.
  public static let aliases: [APIAlias] = [
    APIAlias("ID", "string|integer", "What identifies an item."),
    APIAlias("Key", "string|integer", "What identifies a page."),
    APIAlias("ItemPath", "integer[]", "A place in a collection: { section, item }."),
    APIAlias(
      "PolicyLike", "Policy|string|fun(view: View): boolean|Verdict",
      "A policy, a built-in one by name such as \"leadingScreens(3)\", or a function."),
    APIAlias(
      "Values", "table<string, string|number|boolean|Null|(string|number|boolean|Null)[]>",
      "Values by name; null omits one, a list repeats its name."),
    APIAlias("Heading", "\"up\"|\"down\"|\"left\"|\"right\"", "A direction."),
  ]
}
