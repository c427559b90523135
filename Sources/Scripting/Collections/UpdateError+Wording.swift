import Items
import Listing

extension UpdateError {
  /// For the user: what was expected, what came, what to do.
  var wording: String {
    switch code {
    case .invalidSectionCount:
      return "the data have \(count(new, "section")) after the update, but \(sum("section"))" + Self.advice
    case .invalidItemCount:
      return "section \(number) has \(count(new, "item")) after the update, but \(sum("item"))" + Self.advice
    case .deleteSectionOutOfBounds:
      return "section \(number) can't be deleted, reloaded or moved: before the update there were "
        + "\(count(old, "section"))" + Self.oldPlaces
    case .deleteItemSectionOutOfBounds:
      return "item \(place) can't be deleted, reloaded or moved: before the update there were "
        + "\(count(old, "section"))" + Self.oldPlaces
    case .deleteItemOutOfBounds:
      return "item \(place) can't be deleted, reloaded or moved: before the update section \(number) had "
        + "\(count(old, "item"))" + Self.oldPlaces
    case .insertItemSectionOutOfBounds:
      return "no item can come to \(place): after the update there are \(count(new, "section"))"
        + Self.newPlaces
    case .insertItemOutOfBounds:
      return "no item can come to \(place): after the update section \(number) has \(count(new, "item"))"
        + Self.newPlaces
    case .insertSectionOutOfBounds:
      return "no section can come to \(number): after the update there are \(count(new, "section"))"
        + Self.newPlaces
    case .deleteAndReloadSameItem:
      return "item \(place) is to be deleted or moved, and to be reloaded: a deleted item needs no reload; "
        + "for a moved one delete it and insert it anew"
    case .reloadAndDeleteSameSection:
      return "section \(number) is to be deleted or moved, and to be reloaded: a deleted section needs no "
        + "reload; for a moved one delete it and insert it anew"
    case .emptyChange:
      guard path != nil else {
        return "the list of places is empty: name at least one, or leave the call out"
      }
      return "item \(place) and all others of the call are deleted, so there is nothing to reload: "
        + "leave the call out"
    case .reloadDataTwice: return "the update reloads all data already: call reloadData once"
    case .changeSetClosed:
      return "this update is over: use `updates` only inside the function that it was given to"
    case .unbalancedEnd:
      return "the number of endUpdates is not that of beginUpdates: end each beginning once, "
        + "where it was begun"
    case .duplicatePath:
      return "\(path == nil ? "section \(number)" : "item \(place)") is named twice: one operation for each "
        + "place, and what moves is not deleted or inserted too"
    case .invalidIndex:
      return new == nil
        ? "\(path == nil ? "section \(number)" : "item \(place)") is no place: positions are integers from 1 on"
        : "section \(number) can't have \(count(new, "item"))"
    }
  }

  private static let advice =
    ": change the data inside the function, with one operation for each change, or call reloadData"
  private static let oldPlaces = " (what goes is named by its place before the update)"
  private static let newPlaces = " (what comes is named by its place after the update)"

  private var number: Int { (section ?? 0) + 1 }
  private var place: String { (path ?? ItemPath(item: 0)).wording }

  private func sum(_ noun: String) -> String {
    let (old, inserted, deleted) = (old ?? 0, inserted ?? 0, deleted ?? 0)
    return "\(old) before, \(inserted) inserted and \(deleted) deleted make "
      + count(old + inserted - deleted, noun)
  }

  private func count(_ number: Int?, _ noun: String) -> String {
    "\(number ?? 0) \(noun)\(number == 1 ? "" : "s")"
  }
}

extension ItemPath {
  /// In Lua notation, from 1.
  var wording: String { "{ \(section + 1), \(item + 1) }" }
}

extension BatchOperation {
  /// In Lua notation; long lists are cut.
  var wording: String {
    func list(_ places: [String], _ count: Int) -> String {
      places.joined(separator: ", ") + (count > places.count ? ", … (\(count) in all)" : "")
    }
    func items(_ paths: [ItemPath]) -> String { list(paths.prefix(5).map(\.wording), paths.count) }
    func sections(_ sections: [Int]) -> String {
      list(sections.prefix(5).map { "\($0 + 1)" }, sections.count)
    }
    return switch self {
    case .insertItems(let paths): "insertItems \(items(paths))"
    case .deleteItems(let paths): "deleteItems \(items(paths))"
    case .reloadItems(let paths): "reloadItems \(items(paths))"
    case .moveItem(let from, let to): "moveItem \(from.wording) to \(to.wording)"
    case .insertSections(let places): "insertSections \(sections(places))"
    case .deleteSections(let places): "deleteSections \(sections(places))"
    case .reloadSections(let places): "reloadSections \(sections(places))"
    case .moveSection(let from, let to): "moveSection \(from + 1) to \(to + 1)"
    case .reloadData: "reloadData"
    }
  }
}
