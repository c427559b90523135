/// Functions in Lua that the scripts of `lookahead get` are put together from.
enum GetHelpers {
  static let list = """
    -- The list that was found at a place of the answer.
    local function list(answer, value, place)
      if type(value) == "table" then return value end
      local names = {}
      for name in pairs(type(answer) == "table" and answer or {}) do names[#names + 1] = tostring(name) end
      table.sort(names)
      error(("the answer has no list at %s (it has: %s): say where the items are with --items")
        :format(place, table.concat(names, ", ")), 0)
    end
    """

  static let at = """
    -- The value at a path, or nil.
    local function at(value, ...)
      for _, name in ipairs { ... } do
        if type(value) ~= "table" then return nil end
        value = value[tonumber(name) or name]
      end
      return value
    end
    """

  static let with = """
    -- The first page's URL with a parameter of its query set.
    local function with(name, value)
      local base, query = url:match("^([^?#]*)%??([^#]*)")
      local parts = {}
      for part in query:gmatch("[^&]+") do
        if part:match("^[^=]*") ~= name then parts[#parts + 1] = part end
      end
      parts[#parts + 1] = name .. "=" .. lookahead.url.encode(tostring(value))
      return base .. "?" .. table.concat(parts, "&")
    end
    """

  static let following = """
    -- The next page's URL: a link as it is, anything else as a parameter.
    local function following(response, value, parameter)
      if not value or value == lookahead.null or value == "" then return nil end
      if type(value) == "string" and (value:find("^https?://") or value:find("^[/?]")) then
        return lookahead.url.join(response.url, value)
      end
      return with(parameter, value)
    end
    """

  static let findItems = """
    -- The items of an answer: itself when it is a list, else the list under a usual name.
    local function findItems(answer)
      if type(answer) == "table" and (#answer > 0 or next(answer) == nil) then return answer end
      for _, name in ipairs { "items", "data", "results", "records", "rows", "values", "value", "entries", "objects" } do
        local value = type(answer) == "table" and answer[name]
        if type(value) == "table" then return value end
      end
      return list(answer, nil, "items, data, results or the like")
    end
    """

  static let findNext = """
    -- The next page's URL: in the Link header, or in the answer as a link, a cursor or a page number.
    local function findNext(response, answer, key, count)
      if response.links.next then return response.links.next end
      for _, path in ipairs { { "next" }, { "next_url" }, { "nextUrl" }, { "next_page_url" }, { "links", "next" },
        { "links", "next", "href" }, { "_links", "next", "href" }, { "paging", "next" }, { "pagination", "next_url" },
        { "meta", "next" }, { "@odata.nextLink" } } do
        local value = at(answer, table.unpack(path))
        if type(value) == "string" and (value:find("^https?://") or value:find("^[/?]")) then
          return following(response, value)
        end
      end
      for _, cursor in ipairs { { "next_cursor", "cursor" }, { "nextCursor", "cursor" },
        { "next_page_token", "page_token" }, { "nextPageToken", "pageToken" } } do
        local value = at(answer, cursor[1]) or at(answer, "meta", cursor[1])
        if type(value) == "string" and value ~= "" then return with(cursor[2], value) end
      end
      local page, pages = at(answer, "page"), at(answer, "pages") or at(answer, "total_pages")
      if type(page) == "number" and type(pages) == "number" then
        return page < pages and with("page", math.tointeger(page + 1)) or nil
      end
      local total = at(answer, "total") or at(answer, "total_count") or at(answer, "count")
      local isShort = type(total) == "number" and total > count and count > 0
      if not key and (isShort or at(answer, "has_more") == true) then
        error(("there are more than these %d items, and nothing in the answer leads on: say how with --next")
          :format(count), 0)
      end
    end
    """
}
