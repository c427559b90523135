/// HTTP, and related text formats.
extension APIDescription {
  static let http = APIModule(
    "lookahead.http",
    "HTTP requests; statuses 429, 408 and 5xx and broken connections are retried by the source's rules.",
    functions: ["get", "post", "put", "patch", "delete", "head"].map { name in
      APIFunction(
        "\(name)(url: string, options?: HTTPOptions): Response", needs: .net,
        "Sends \(name.uppercased()), and waits for the answer.",
        details: "An error status raises an error with the code `http`, unless `raise = false`.",
        example: requests[name] ?? "")
    } + [
      APIFunction(
        "request(options: RequestOptions): Response", needs: .net,
        "Sends a request described by its options.",
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
    APIField("query?: Values", "Query parameters added to the URL."),
    APIField("headers?: Values", "Headers by name."),
    APIField("json?: any", "The body, written as JSON."),
    APIField("form?: Values", "The body, written as a form."),
    APIField("body?: string", "The body as it is."),
    APIField("timeout?: number", "Seconds it may take; by default the source's timeout."),
    APIField(
      "auth?: AuthKeys|string[]|Login",
      "Credentials: a token, a user and a password, or a login of `lookahead.oauth2`."),
    APIField(
      "origin?: string",
      "The URL that headers, login and body are meant for: another origin gets none of them."),
    APIField("raise?: boolean = true", "Whether an error status raises an error."),
    APIField(
      "retry?: boolean",
      "Whether it is retried where the server fails: true even for a POST, which then only reads; false never."
    ),
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
        "join(base: string, reference: string): string", "Resolves a reference against a URL (RFC 3986).",
        example: "print(lookahead.url.join(\"https://example.com/a/b\", \"../c\"))"),
      APIFunction(
        "parse(url: string): URLParts", "The parts of a URL; missing ones are nil.",
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
    "lookahead.hash", "Digests, in hexadecimal or as bytes.",
    functions: [
      APIFunction(
        "sha256(bytes: string, options?: HashKeys): string", "SHA-256.",
        example: "print(lookahead.hash.sha256(\"hello\"))"),
      APIFunction(
        "hmacSha256(key: string, bytes: string, options?: HashKeys): string",
        "HMAC with SHA-256, to sign requests.",
        details: "With `raw = true` the bytes, which may be the key of another: so AWS derives its keys.",
        example: "print(lookahead.hash.hmacSha256(\"key\", \"message\"))"),
    ] + otherDigests)

  /// Those that some APIs want: OAuth 1 SHA-1, exchanges SHA-384 and SHA-512.
  private static let otherDigests = [
    ("md5", "MD5"), ("sha1", "SHA-1"), ("sha384", "SHA-384"), ("sha512", "SHA-512"),
  ]
  .flatMap { name, title in
    let keyed = "hmac" + name.prefix(1).uppercased() + name.dropFirst()
    return [
      APIFunction(
        "\(name)(bytes: string, options?: HashKeys): string", "\(title), where a server wants that.",
        example: "print(lookahead.hash.\(name)(\"hello\"))"),
      APIFunction(
        "\(keyed)(key: string, bytes: string, options?: HashKeys): string", "HMAC with \(title).",
        example: "print(lookahead.hash.\(keyed)(\"key\", \"message\"))"),
    ]
  }

  static let xml = APIModule(
    "lookahead.xml", "XML, as some APIs answer.",
    functions: [
      APIFunction(
        "decode(text: string): Element", "Reads XML and returns its root element.",
        details: "Nothing outside of the text is read, and texts that declare entities are refused. "
          + "An error has the code `parse`, and names line and column.",
        example: """
          local list = lookahead.xml.decode("<list><item><key>a</key></item><more>true</more></list>")
          for _, item in ipairs(list:all("item")) do print(item:value("key"), list:value("more")) end
          """)
    ])

  static let webClasses = [
    APIClass(
      "HTTPOptions", "lookahead.http.get", .keys, "The options of a request.",
      fields: httpOptions),
    APIClass(
      "RequestOptions", "lookahead.http.request", .keys, "A whole request.",
      fields: [APIField("url: string", "The URL."), APIField("method?: string = \"GET\"", "The method.")]
        + httpOptions),
    APIClass(
      "AuthKeys", "lookahead.http.get.auth", .keys, "Credentials.",
      fields: [
        APIField("bearer?: string", "A token."), APIField("user?: string", "A user name, with a password."),
        APIField("password?: string", "The password."),
      ]),
    APIClass(
      "HashKeys", "lookahead.hash.sha256", .keys, "How a digest is returned.",
      fields: [APIField("raw?: boolean = false", "As its bytes instead of in hexadecimal.")]),
    APIClass(
      "LoginKeys", "lookahead.oauth2", .keys, "Where tokens come from, and for whom.",
      fields: [
        APIField("tokenURL: string", "Where the server gives tokens."),
        APIField("clientID: string", "The name of the client."),
        APIField("clientSecret?: string", "Its secret; without a refresh token it gets tokens for itself."),
        APIField("refreshToken?: string", "Stands for a person who has agreed; a newer one replaces it."),
        APIField("scope?: string", "What the tokens are for."),
        APIField("parameters?: Values", "More that the server wants, such as `audience`."),
        APIField(
          "clientIn?: string = \"header\"",
          "Where the client's secret is sent: in the `\"header\"` or the `\"body\"`."),
      ]),
    APIClass(
      "Login", "login", .object, "Tokens for requests: `auth = login`.",
      methods: [
        APIFunction("token(): string", needs: .net, "The token, asked for if there is none that counts.")
      ]),
    APIClass(
      "Element", "element", .object, "An element of XML.",
      fields: [
        APIField("name: string", "With its prefix, as written."),
        APIField("attributes: table<string, string>", "By name."),
        APIField("text: string", "What is written directly in it."),
        APIField("children: Element[]", "The elements in it, in order."),
      ],
      methods: [
        APIFunction(
          "all(name: string): Element[]", "The children of that name: a list, whether none, one or many."),
        APIFunction("first(name: string): Element?", "The first child of that name."),
        APIFunction("value(name: string): string?", "The text of the first child of that name."),
      ]),
    APIClass(
      "Response", "response", .object, "A server's response.",
      fields: [
        APIField("status: integer", "Such as 200."),
        APIField(
          "headers: table<string, string>",
          "By case-insensitive name; bytes that are no UTF-8 are taken as ISO 8859-1."),
        APIField("body: string", "The body as received."),
        APIField(
          "links: table<string, string>",
          "Absolute URLs of the Link header by relation (RFC 8288)."),
        APIField("url: string", "The final URL, after redirects."),
        APIField("request: string", "The method that was sent."),
        APIField("elapsed: number", "Duration in seconds."),
      ],
      methods: [APIFunction("json(): any", "The body as JSON; an error names line and column.")]),
    APIClass(
      "URLParts", "urlParts", .object, "The parts of a URL.",
      fields: [
        APIField("scheme?: string", "Such as `https`."), APIField("host?: string", "A name or an address."),
        APIField("port?: integer", "If given."), APIField("path: string", "With its slashes."),
        APIField("query?: string", "Without the question mark."),
        APIField("fragment?: string", "Without the hash."),
      ]),
  ]
}
