/// Data, files and the rest of a script's surroundings.
extension APIDescription {
  static let json = APIModule(
    "lookahead.json", "JSON texts and values; integers of 64 bits stay integers, null is `lookahead.null`.",
    functions: [
      APIFunction(
        "decode(text: string): any", "A text to a value; a failure names line and column.",
        example: "print(lookahead.json.decode('{\"id\": 1}').id)"),
      APIFunction(
        "encode(value: any, options?: EncodeKeys): string", "A value to a text.",
        example: "print(lookahead.json.encode({ id = 1, tags = lookahead.json.array {} }))"),
      APIFunction(
        "array(list: any[]): any[]", "Marks a table as a list, so that an empty one is written as [].",
        example: "print(lookahead.json.encode(lookahead.json.array {}))"),
    ])

  static let sqlite = APIModule(
    "lookahead.sqlite", "SQLite databases.",
    functions: [
      APIFunction(
        "open(path: string, options?: DatabaseKeys): Database", needs: .read,
        "Opens a database file, read-only unless told otherwise; paths count from the script's folder.",
        example: """
          local database = lookahead.sqlite.open("data/zones.db")
          for row in database:rows("select name from zones where name > ?", { "Europe" }) do print(row.name) end
          database:close()
          """)
    ])

  static let files = APIModule(
    "lookahead.fs", "Files; paths count from the script's folder.",
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
        "exists(path: string): boolean", needs: .read, "Whether there is such a file or folder.",
        example: "print(lookahead.fs.exists(\"notes.txt\"))"),
      APIFunction(
        "list(path: string): string[]", needs: .read, "The names in a folder.",
        example: "for _, name in ipairs(lookahead.fs.list(\".\")) do print(name) end"),
    ])

  static let csv = APIModule(
    "lookahead.csv", "Comma-separated values (RFC 4180).",
    functions: [
      APIFunction(
        "decode(text: string, options?: CSVKeys): any[]",
        "A text to rows: tables by the names of the first line.",
        example: "print(lookahead.csv.decode(\"id,name\\n1,one\\n\")[1].name)"),
      APIFunction(
        "rows(path: string, options?: CSVKeys): async fun(): any", needs: .read,
        "Iterates over the rows of a file.",
        example:
          "for row in lookahead.csv.rows(\"items.csv\", { separator = \";\" }) do lookahead.emit(row) end"),
      APIFunction(
        "encode(rows: any[], options?: CSVKeys): string", "Rows to a text with a first line of names.",
        example:
          "print(lookahead.csv.encode({ { id = 1, name = \"one\" } }, { columns = { \"id\", \"name\" } }))"),
    ])

  static let time = APIModule(
    "lookahead.time", "Points in time, as seconds since 1970.",
    functions: [
      APIFunction(
        "iso(seconds: number): string", "As a text of ISO 8601.", example: "print(lookahead.time.iso(0))"),
      APIFunction(
        "parse(text: string): number", "A text of ISO 8601 to seconds.",
        example: "print(lookahead.time.parse(\"2026-11-21T09:10:00Z\"))"),
    ])

  static let log = APIModule(
    "lookahead.log", "The run's log, on standard error.",
    functions: ["debug", "info", "warn", "error"].map { level in
      APIFunction(
        "\(level)(message: any, fields?: table<string, any>)",
        "A line of the level `\(level)`, with named values behind.",
        example: "lookahead.log.\(level)(\"page loaded\", { page = 1 })")
    })

  static let environment = APIModule(
    "lookahead.env", "The environment.",
    functions: [
      APIFunction(
        "get(name: string): string?", needs: .env, "A variable of the environment, or nil.",
        example: "print(lookahead.env.get(\"HOME\"))")
    ])

  static let worldClasses =
    webClasses + [
      APIClass(
        "EncodeKeys", "lookahead.json.encode", .keys, "How JSON is written.",
        fields: [APIField("pretty?: boolean = false", "On several lines, indented.")]),
      APIClass(
        "DatabaseKeys", "lookahead.sqlite.open", .keys, "How a database is opened.",
        fields: [
          APIField("readOnly?: boolean = true", "Whether it stays as it is; false needs `--allow-write`.")
        ]),
      APIClass(
        "Database", "db", .object, "An open database.", fields: [APIField("path: string", "The file.")],
        methods: [
          APIFunction(
            "query(sql: string, parameters?: table): table<string, any>[]", needs: .read,
            "All rows of a query; `?` and `:name` take the parameters in their places."),
          APIFunction(
            "rows(sql: string, parameters?: table): async fun(): table<string, any>", needs: .read,
            "Iterates over the rows of a query."),
          APIFunction(
            "execute(sql: string, parameters?: table): integer", needs: .write,
            "Runs a statement; returns the number of rows changed."),
          APIFunction("close()", "Closes it; a second time is harmless."),
        ]),
      APIClass(
        "CSVKeys", "lookahead.csv.decode", .keys, "How the values are written.",
        fields: [
          APIField("separator?: string = \",\"", "What stands between them, one character."),
          APIField(
            "header?: boolean = true", "Whether the first line has the names; without, rows are lists."),
          APIField("columns?: string[]", "The names, in their order."),
        ]),
    ]
}
