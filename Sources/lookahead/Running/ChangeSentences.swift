import Hosting
import Text

extension SinkChanges {
  /// What a person is told of them.
  typealias Sentence = (isWarning: Bool, text: String)

  /// What the source no longer has, in the order of the streams' names.
  var sentences: [Sentence] {
    var sentences: [Sentence] = left.prefix(10).map { (true, words(for: $0)) }
    if left.count > 10 {
      sentences.append((true, "\(Amount.count(left.count - 10)) other readings were left unfinished too"))
    }
    let names = streams.keys.sorted()
    for name in names {
      let place = names.count > 1 ? " (\(HarmlessText.line(name)))" : ""
      if let stream = streams[name] { sentences += self.sentences(of: stream, place) }
    }
    return sentences
  }

  private func sentences(of stream: Stream, _ place: String) -> [Sentence] {
    var sentences: [Sentence] = []
    func info(_ text: String) { sentences.append((false, text)) }
    func warn(_ text: String) { sentences.append((true, text)) }
    if stream.gone > 0 {
      info(
        "\(Amount.count(stream.gone)) \(stream.gone == 1 ? "row is" : "rows are") no longer at the source and "
          + "\(stream.gone == 1 ? "stays" : "stay") (--write mirror removes \(stream.gone == 1 ? "it" : "them"))\(place)"
      )
    }
    if stream.removed > 0 {
      info(
        "\(Amount.count(stream.removed)) \(stream.removed == 1 ? "row" : "rows") removed that the source no longer has"
          + place)
    }
    if stream.others > 0 {
      info(
        "\(Amount.count(stream.others)) \(stream.others == 1 ? "row stays" : "rows stay") that this source is not known to have brought: "
          + "\(stream.others == 1 ? "it was" : "they were") there before the table said so (_partition)\(place)"
      )
    }
    if stream.unlistedParts > 0 {
      let (parts, rows) = (stream.unlistedParts, stream.unlistedRows)
      warn(
        "\(Amount.count(parts)) \(parts == 1 ? "part" : "parts") of the source that earlier runs have read \(parts == 1 ? "is" : "are") no "
          + "longer among those that are read\(place): \(parts == 1 ? "its" : "their") \(Amount.count(rows)) \(rows == 1 ? "row stays" : "rows stay")"
          + ", as each part is mirrored for itself (--fresh into a new table has none of them)")
    }
    if stream.kept > 0 {
      let isOne = stream.kept == 1
      warn(
        "the source says that \(Amount.count(stream.kept)) \(isOne ? "item is" : "items are") gone\(place): "
          + "\(isOne ? "it stays" : "they stay"), as a text keeps its lines, and --write append and items without ids add rows only; "
          + "a database with a row for each id (-o items.db) does not keep \(isOne ? "it" : "them")")
    }
    if stream.moved > 0 {
      let isOne = stream.moved == 1
      warn(
        "\(Amount.count(stream.moved)) \(isOne ? "row" : "rows")\(place) that one part of the source had brought "
          + "\(isOne ? "was" : "were") brought by another one, which \(isOne ? "it belongs" : "they belong") to now: where these "
          + "are other items, ids are unique within a part only, and an id of two members keeps them apart "
          + "(id = { \"repo\", \"number\" }, from the parameter and the item)")
    }
    if stream.keptAll {
      info(
        "the source brought nothing, so nothing was removed (--write mirror removes what is there)\(place)")
    }
    if stream.bringsOnlyNew {
      info(
        "nothing was removed\(place), though a mirror was asked for: a source with a bookmark brings only what is new, so that what "
          + "it does not bring may be there still (it says what is gone: isRemoved, or removed; --fresh reads all)"
      )
    }
    return sentences
  }

  /// A reading with which nobody goes on.
  private func words(for left: LeftReading) -> String {
    let name = HarmlessText.line(left.stream + left.partition)
    let reason =
      left.isSourceGone
      ? "the script returns no source of that name any more"
      : "that part is no longer among those that are read"
    return "the reading of \(name) was left unfinished at page \(Amount.count(left.page)): \(reason); its "
      + "\(Amount.count(left.items)) \(left.items == 1 ? "item stays" : "items stay")"
  }
}
