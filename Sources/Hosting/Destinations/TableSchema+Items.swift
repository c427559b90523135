import Items
import Paging

extension TableSchema {
  /// That of a table which is yet to be made, as its first items need it.
  init(
    for items: [Item], _ row: SinkRow, idField: String?, types: [String: DeclaredType], of stream: String,
    _ dialect: any Dialect
  ) throws {
    var survey = SinkSurvey(idField: row.isNumbered ? nil : idField)
    for item in items { try survey.see(item) }
    var key = survey.isIDInField && !row.isNumbered ? idField : nil
    if let field = key, dialect.reserves(field) { key = nil }
    var type: ColumnType = row.isNumbered || survey.idType == .integer ? .integer : .text
    if let key, let declared = types[key] {
      guard declared == .integer || declared == .text else {
        throw HostFailure(
          .invalid,
          "the source of \(stream.escapingControls) declares its id \(key.escapingControls) as \(declared.name) (types): "
            + "expected integer or text")
      }
      type = ColumnType(declared)
    }
    self.init(
      key: key ?? TableSchema.ownKey, isMember: key != nil, type: type, isCounter: row.isNumbered)
  }
}
