/// HTTP, and related text formats.
extension APIDescription {
  static let http = APIModule(
    "lookahead.http",
    "Requests over HTTP; statuses 429, 408 and 5xx and broken connections are tried again as the source says.",
    functions: ["get", "post", "put", "patch", "delete", "head"].map { name in
      APIFunction(
        "\(name)(url: string, options?: HTTPOptions): Response", needs: .net,
        "Sends \(name.uppercased()), and waits for the answer.",
        details: "A status that is no success raises an error with the code `http`, unless `raise = false`.",
        example: requests[name] ?? "")
    } + [
      APIFunction(
        "request(options: RequestOptions): Response", needs: .net,
        "Sends a request that is all in its options.",
        example: """
          local response = lookahead.http.request { method = "GET", url = "https://api.example.com/items" }
          print(response.status)
          """)
    ])

  private static let requests = [
    "get": """
    local response = lookahead.http.get("https://api.example.com/items", { query = { page = 1 } })
    for _, item in ipairs(response:json().items) do print(item.id) end
    """,
    "post": """
    lookahead.http.post("https://api.example.com/items", { json = { name = "new" }, auth = { bearer = "token" } })
    """,
    "put": """
    lookahead.http.put("https://api.example.com/items/1", { json = { name = "other" } })
    """,
    "patch": """
    lookahead.http.patch("https://api.example.com/items/1", { json = { name = "other" } })
    """,
    "delete": """
    local response = lookahead.http.delete("https://api.example.com/items/1", { raise = false })
    print(response.status)
    """,
    "head": """
    print(lookahead.http.head("https://api.example.com/items").headers["content-type"])
    """,
  ]

  private static let httpOptions = [
    APIField("query?: Values", "Added to the URL behind the question mark."),
    APIField("headers?: Values", "Headers by name."),
    APIField("json?: any", "The body, written as JSON."),
    APIField("form?: Values", "The body, written as a form."),
    APIField("body?: string", "The body as it is."),
    APIField("timeout?: number", "Seconds that it may take; otherwise what the source says."),
    APIField("auth?: AuthKeys|string[]", "A login: a token, or a name and a password."),
    APIField("raise?: boolean = true", "Whether a status is an error that is no success."),
    APIField(
      "retry?: boolean = false", "The request only reads, so that it may be sent again, a POST too."),
  ]

  static let url = APIModule(
    "lookahead.url", "URLs as texts.",
    functions: [
      APIFunction(
        "encode(text: string): string", "Percent-encodes all but letters, digits and `-._~`.",
        example: "print(lookahead.url.encode(\"a b&c\"))"),
      APIFunction(
        "decode(text: string): string", "Undoes percent-encoding; `+` is a space.",
        example: "print(lookahead.url.decode(\"a+b%26c\"))"),
      APIFunction(
        "join(base: string, reference: string): string", "A reference as seen from a URL (RFC 3986).",
        example: "print(lookahead.url.join(\"https://example.com/a/b\", \"../c\"))"),
      APIFunction(
        "parse(url: string): URLParts", "The parts of a URL; those that are absent are nil.",
        example: "print(lookahead.url.parse(\"https://example.com/a?b=1\").host)"),
    ])

  static let base64 = APIModule(
    "lookahead.base64", "Bytes as printable text.",
    functions: [
      APIFunction(
        "encode(bytes: string): string", "Bytes to base64.",
        example: "print(lookahead.base64.encode(\"hello\"))"),
      APIFunction(
        "decode(text: string): string", "Base64 to bytes.",
        example: "print(lookahead.base64.decode(\"aGVsbG8=\"))"),
    ])

  static let hash = APIModule(
    "lookahead.hash", "Digests, in hexadecimal digits.",
    functions: [
      APIFunction(
        "sha256(bytes: string): string", "SHA-256.", example: "print(lookahead.hash.sha256(\"hello\"))"),
      APIFunction(
        "hmacSha256(key: string, bytes: string): string", "HMAC with SHA-256, to sign requests.",
        example: "print(lookahead.hash.hmacSha256(\"key\", \"message\"))"),
    ])

  static let webClasses = [
    APIClass(
      "HTTPOptions", "lookahead.http.get", .keys, "What is said about a request besides its URL.",
      fields: httpOptions),
    APIClass(
      "RequestOptions", "lookahead.http.request", .keys, "All of a request.",
      fields: [APIField("url: string", "Where to."), APIField("method?: string = \"GET\"", "As what.")]
        + httpOptions),
    APIClass(
      "AuthKeys", "lookahead.http.get.auth", .keys, "A login.",
      fields: [
        APIField("bearer?: string", "A token."), APIField("user?: string", "A name, with a password."),
        APIField("password?: string", "The password."),
      ]),
    APIClass(
      "Response", "response", .object, "What a server answered.",
      fields: [
        APIField("status: integer", "As 200."),
        APIField("headers: table<string, string>", "By name, in any case of letters."),
        APIField("body: string", "The body as it came."),
        APIField(
          "links: table<string, string>",
          "URLs of the Link header by their relation, made absolute (RFC 8288)."),
        APIField("url: string", "Where it came from, after redirects."),
        APIField("request: string", "The method that was sent."),
        APIField("elapsed: number", "Seconds that it took."),
      ],
      methods: [APIFunction("json(): any", "The body as JSON; a failure names line and column.")]),
    APIClass(
      "URLParts", "urlParts", .object, "The parts of a URL.",
      fields: [
        APIField("scheme?: string", "As `https`."), APIField("host?: string", "A name or an address."),
        APIField("port?: integer", "Where it is written."), APIField("path: string", "With its slashes."),
        APIField("query?: string", "Without its question mark."),
        APIField("fragment?: string", "Without its hash."),
      ]),
  ]
}
