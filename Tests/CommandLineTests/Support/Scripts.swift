/// Scripts that tests run.
enum Scripts {
  /// Items 1 to `count`, `wait` seconds a page.
  static let numbers = """
    local p = lookahead.parameters {
      count = { default = 1000, help = "items in all" },
      wait = { default = 0.0, help = "seconds a page" },
      token = { default = "none", secret = true },
    }
    local numbers = lookahead.source { name = "numbers", keys = "offset", pageSize = 100 }
    function numbers.fetch(context)
      if p.wait > 0 then lookahead.sleep(p.wait) end
      local items = {}
      for id = context.key + 1, math.min(context.key + context.size, p.count) do
        items[#items + 1] = { id = id, text = "item " .. id }
      end
      return { items = items, total = p.count }
    end
    return numbers
    """

  /// Items of a server, by page number; the parameter is its base URL.
  static let pages = """
    local p = lookahead.parameters { base = { required = true, help = "where the server is" } }
    local items = lookahead.source { name = "items", keys = "page", pageSize = 100 }
    function items.fetch(context)
      local page = lookahead.http.get(p.base .. "/items", { query = { page = context.key, per_page = context.size } }):json()
      return { items = page.items, total = page.total }
    end
    return items
    """

  /// Two streams of three and two items.
  static let streams = """
    for number = 1, 3 do lookahead.emit({ id = number, kind = "a" }, "first") end
    for number = 1, 2 do lookahead.emit({ id = number, kind = "b" }, "second") end
    """

  /// Asks for a page of a server on this machine that the test does not start.
  static let asking = """
    local source = lookahead.source { name = "asking" }
    function source.fetch(context)
      return { items = lookahead.http.get("http://127.0.0.1:1/items"):json() }
    end
    return source
    """
}
