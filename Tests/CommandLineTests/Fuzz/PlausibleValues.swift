/// What makes sense in a call, where a type alone does not say it: names of files that are there, SQL, a URL.
///
/// A call that is not named here gets values by their types; so a new one is tried at once, and better with a line here.
enum PlausibleValues {
  /// The name by which a value is looked up: with its call where that is known, otherwise alone.
  static func name(_ name: String, of call: String) -> String {
    values["\(call).\(name)"] == nil ? name : "\(call).\(name)"
  }

  /// A value of a plain type as a Lua expression.
  static func expression(_ type: String, _ name: String) -> String {
    if let value = values[name], isRight(value, type) { return value }
    switch type {
    case "string": return "\"a\""
    case "integer": return "1"
    case "number": return "0.01"
    case "boolean": return "true"
    case "ItemPath": return "{ 1, 1 }"
    case "function": return "function(...) return ... end"
    case "nil": return "nil"
    default: return "{ id = 1 }"
    }
  }

  private static func isRight(_ value: String, _ type: String) -> Bool {
    switch type {
    case "string": value.hasPrefix("\"") || value.hasPrefix("'") || value.hasPrefix("server")
    case "integer", "number": value.first?.isNumber == true
    default: true
    }
  }

  /// Keys without which a table means nothing, though each of them may be left out.
  static let neededKeys: [String: Set<String>] = [
    "SourceKeys": ["fetch"], "CollectionKeys": ["data"], "RangeKeys": ["itemLength", "itemCount"],
    "LatencyLaw": ["median", "sigma"], "ExperimentKeys": ["sessions", "policies", "workloads"],
    "WorkloadKeys": ["items"], "LoginKeys": ["tokenURL", "clientID", "clientSecret"],
    "RateKeys": ["requests", "per"],
  ]

  /// Lua expressions by the name of a parameter or key, or by its call and its name.
  private static let values: [String: String] = [
    "path": "\"notes.txt\"", "url": "server .. \"/items?per_page=3\"", "base": "\"http://127.0.0.1/a/b\"",
    "sql": "\"select ? as a, name from items\"", "lookahead.sqlite.open.path": "\"small.db\"",
    "lookahead.database.open.address": "\"small.duckdb\"", "tokenURL": "server .. \"/token\"",
    "clientIn": "\"header\"", "lookahead.xml.decode.text": "\"<a b='c'>d<e>f</e></a>\"",
    "lookahead.csv.rows.path": "\"rows.csv\"",
    "lookahead.json.decode.text": "'[{\"id\": 1, \"a\": [1.5, null]}]'",
    "lookahead.csv.decode.text": "\"id,name\\n1,one\\n\"", "lookahead.base64.decode.text": "\"aGVsbG8=\"",
    "lookahead.time.parse.text": "\"2026-11-21T09:10:00Z\"", "lookahead.fs.list.path": "\".\"",
    "db:execute.sql": "\"update items set name = ?\"", "result:report.path": "\"report.html\"",
    "lookahead.env.get.name": "\"HOME\"", "lookahead.lab.run.experiment": "kept(\"Experiment\")",
    "lookahead.sleep.seconds": "0.001",
    "separator": "\";\"", "method": "\"GET\"", "columns": "\"id\"", "policies": "\"onDemand\"",
    "oldCount": "5", "limit": "2", "sessions": "2", "lookahead.workload.items": "40", "pageSize": "5",
    "width": "100",
    "height": "300", "itemLength": "10", "itemCount": "50", "deadlines": "0.5", "latency": "0.1",
    "rate": "5", "screens": "2", "timeout": "1", "retries": "1", "id": "\"id\"", "parameters": "1",
    "baseline": "\"onDemand\"", "token": "1", "page": "1", "file": "\"notes.txt\"",
  ]
}
