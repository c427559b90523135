/// Data, files and the rest of a script's surroundings.
extension APIDescription {
  static let json = APIModule(
    "lookahead.json", "JSON texts and values; integers of 64 bits stay integers, null is `lookahead.null`.",
    functions: [
      APIFunction(
        "decode(text: string): any", "Parses a text; an error names line and column.",
        example: "print(lookahead.json.decode('{\"id\": 1}').id)"),
      APIFunction(
        "page(path: string, options?: PageKeys): Page", needs: .read,
        "A page of the list in a file of any length, for a handler to return; `.gz` and `.zst` are unpacked.",
        example: """
          local source = lookahead.source { name = "items", pageSize = 1000 }
          function source.fetch(context)
            return lookahead.json.page("items.json", { at = "data.items", key = context.key, size = context.size })
          end
          return source
          """),
      APIFunction(
        "encode(value: any, options?: EncodeKeys): string", "Encodes a value as text.",
        example: "print(lookahead.json.encode({ id = 1, tags = lookahead.json.array {} }))"),
      APIFunction(
        "array(list: any[]): any[]", "Marks a table as a list, so that an empty one is written as [].",
        example: "print(lookahead.json.encode(lookahead.json.array {}))"),
      APIFunction(
        "renamed(given: table<any, any>, names: table<any, string>): table<string, any>",
        "The members of a table under new names, by their keys; numbers keep digits that a copy would round.",
        example: "print(lookahead.json.renamed({ 7, \"Ada\" }, { \"id\", \"name\" }).name)"),
    ])

  static let sqlite = APIModule(
    "lookahead.sqlite", "SQLite databases.",
    functions: [
      APIFunction(
        "open(path: string, options?: DatabaseKeys): Database", needs: .read,
        "Opens a database file, by default read-only; paths are relative to the script's folder.",
        example: """
          local database = lookahead.sqlite.open("data/zones.db")
          for row in database:rows("select name from zones where name > ?", { "Europe" }) do print(row.name) end
          database:close()
          """)
    ])

  static let database = APIModule(
    "lookahead.database",
    "Databases with drivers: PostgreSQL, DuckDB, Parquet files, and others that ADBC reaches.",
    functions: [
      APIFunction(
        "open(address: string, options?: ConnectKeys): Database", needs: .net,
        "Opens `postgresql://user@host/database`, a .duckdb or .parquet file, or `adbc:NAME?key=value`.",
        example: """
          local database = lookahead.database.open("postgresql://reader@db.example.com/shop")
          for row in database:rows("select id, name from items where id > $1", { 7 }) do print(row.name) end
          database:close()
          """)
    ])

  static let files = APIModule(
    "lookahead.fs", "Files; paths are relative to the script's folder.",
    functions: [
      APIFunction(
        "read(path: string): string", needs: .read, "A whole file.",
        example: "print(#lookahead.fs.read(\"notes.txt\"))"),
      APIFunction(
        "lines(path: string): async fun(): string?", needs: .read,
        "Iterates over the lines of a file, without their ends.",
        example: "for line in lookahead.fs.lines(\"notes.txt\") do print(line) end"),
      APIFunction(
        "write(path: string, text: string)", needs: .write, "Replaces a file.",
        example: "lookahead.fs.write(\"notes.txt\", \"done\\n\")"),
      APIFunction(
        "exists(path: string): boolean", needs: .read, "Whether the file or folder exists.",
        example: "print(lookahead.fs.exists(\"notes.txt\"))"),
      APIFunction(
        "list(path: string): string[]", needs: .read, "The names in a folder.",
        example: "for _, name in ipairs(lookahead.fs.list(\".\")) do print(name) end"),
    ])

  static let csv = APIModule(
    "lookahead.csv", "Comma-separated values (RFC 4180).",
    functions: [
      APIFunction(
        "decode(text: string, options?: CSVReadKeys): any[]",
        "Parses a text into rows: tables by the names of the first line.",
        example: "print(lookahead.csv.decode(\"id,name\\n1,one\\n\")[1].name)"),
      APIFunction(
        "rows(path: string, options?: CSVReadKeys): async fun(): any", needs: .read,
        "Iterates over the rows of a file.",
        example:
          "for row in lookahead.csv.rows(\"items.csv\", { separator = \";\" }) do lookahead.emit(row) end"),
      APIFunction(
        "encode(rows: any[], options?: CSVKeys): string", "Encodes rows, with a first line of names.",
        example:
          "print(lookahead.csv.encode({ { id = 1, name = \"one\" } }, { columns = { \"id\", \"name\" } }))"),
    ])

  static let time = APIModule(
    "lookahead.time", "Points in time, as seconds since 1970.",
    functions: [
      APIFunction(
        "iso(seconds: number): string", "Formats a time as ISO 8601.", example: "print(lookahead.time.iso(0))"
      ),
      APIFunction(
        "parse(text: string): number", "Parses an ISO 8601 time.",
        example: "print(lookahead.time.parse(\"2026-11-21T09:10:00Z\"))"),
    ])

  static let log = APIModule(
    "lookahead.log", "The run's log, on standard error.",
    functions: ["debug", "info", "warn", "error"].map { level in
      APIFunction(
        "\(level)(message: any, fields?: table<string, any>)",
        "Logs a line at level `\(level)`, followed by named values.",
        example: "lookahead.log.\(level)(\"page loaded\", { page = 1 })")
    })

  static let environment = APIModule(
    "lookahead.env", "The environment.",
    functions: [
      APIFunction(
        "get(name: string): string?", needs: .env, "An environment variable, or nil.",
        example: "print(lookahead.env.get(\"HOME\"))")
    ])

  static let worldClasses =
    webClasses + [
      APIClass(
        "PageKeys", "lookahead.json.page", .keys,
        "Which page of the list in a JSON file is read; only `.ndjson` and `.jsonl` files may be empty.",
        fields: [
          APIField(
            "at?: string",
            "Members down to the list, as `data.items` or `/data/a.b`; without it the file is the list, or NDJSON."
          ),
          APIField("key?: table", "The `nextKey` of the page before; nil for the first page."),
          APIField("size?: integer = 1000", "Items at most; fewer where they are long."),
        ]),
      APIClass(
        "EncodeKeys", "lookahead.json.encode", .keys, "How JSON is written.",
        fields: [APIField("pretty?: boolean = false", "On several lines, indented.")]),
      APIClass(
        "DatabaseKeys", "lookahead.sqlite.open", .keys, "How a database is opened.",
        fields: [
          APIField("readOnly?: boolean = true", "Whether it is read-only; false needs `--allow-write`.")
        ]),
      APIClass(
        "ConnectKeys", "lookahead.database.open", .keys, "How a database with a driver is opened.",
        fields: [
          APIField(
            "readOnly?: boolean = true", "Whether it is read-only; false needs `--allow-write` for a file."),
          APIField("timeout?: number = 600", "Seconds that a call on it may take."),
        ]),
      APIClass(
        "Database", "db", .object, "An open database.",
        fields: [APIField("path: string", "The file, or the address without its password.")],
        methods: [
          APIFunction(
            "query(sql: string, parameters?: table): table<string, any>[]", needs: .read,
            "All rows of a query; the parameters are bound to `?` and `:name`, with a driver to `$1`, `$2`."),
          APIFunction(
            "rows(sql: string, parameters?: table): async fun(): table<string, any>", needs: .read,
            "Iterates over the rows of a query."),
          APIFunction(
            "execute(sql: string, parameters?: table): integer", needs: .write,
            "Runs a statement; returns the number of rows changed."),
          APIFunction("close()", "Closes it; closing twice is harmless."),
        ]),
      APIClass(
        "CSVReadKeys", "lookahead.csv.decode", .keys, "How the values are written that are read.",
        fields: [
          APIField("separator?: string = \",\"", "The separator, one character."),
          APIField(
            "header?: boolean",
            "Whether the first line has the names, as it does unless `columns` are given; without names rows are lists."
          ),
          APIField(
            "columns?: string[]",
            "The names, in order; with `header = true` they take the place of the first line."),
          APIField(
            "encoding?: string = \"utf-8\"",
            "What the bytes stand for: `utf-8`, or `windows-1252` of spreadsheets."),
          APIField(
            "ragged?: boolean = false",
            "Whether rows may have fewer fields than there are names, or more, which are a list in `_rest`."
          ),
        ]),
      APIClass(
        "CSVKeys", "lookahead.csv.encode", .keys, "How the values are written.",
        fields: [
          APIField("separator?: string = \",\"", "The separator, one character."),
          APIField(
            "header?: boolean = true", "Whether the first line has the names; otherwise rows are lists."),
          APIField("columns?: string[]", "The names, in order."),
        ]),
    ]
}
