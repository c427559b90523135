/// Functions in Lua that the scripts of `lookahead get` are put together from.
enum GetHelpers {
  static let list = """
    -- Whether a value is a list: one with elements, or with nothing at all.
    local function isList(value)
      return type(value) == "table" and (#value > 0 or next(value) == nil)
    end

    -- The names that an object has.
    local function members(value)
      local names = {}
      for name in pairs(type(value) == "table" and not isList(value) and value or {}) do
        names[#names + 1] = tostring(name)
      end
      table.sort(names)
      return #names > 0 and table.concat(names, ", ") or "no names"
    end

    -- The list that was found at a place of the answer.
    local function list(answer, value, place)
      if isList(value) then return value end
      if type(value) ~= "table" then
        error(("the answer has no list at %s (it has: %s): say where the items are with --items")
          :format(place, members(answer)), 0)
      end
      local within = {}
      for name, member in pairs(value) do
        if isList(member) then within[#within + 1] = tostring(name) end
      end
      table.sort(within)
      local advice = within[1] and (place == "." and "" or place .. ".") .. within[1] or "PATH"
      error(("%s is an object (it has: %s): say where the items are with --items %s")
        :format(place == "." and "the answer" or place, members(value), advice), 0)
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
      if isList(answer) then return answer end
      local object
      for _, name in ipairs { "items", "data", "results", "records", "rows", "values", "value", "entries", "objects" } do
        local value = type(answer) == "table" and answer[name]
        if isList(value) then return value end
        if type(value) == "table" then object = object or name end
      end
      if object then return list(answer, answer[object], object) end
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
      if not key and saysMore(answer, count) then
        error(("there are more than these %d items, and nothing in the answer leads on: say how with --next")
          :format(count), 0)
      end
    end
    """

  static let saysMore = """
    -- Whether the answer says that there are more items than it has; nil where it does not say.
    local function saysMore(answer, count)
      local more = at(answer, "has_more")
      if type(more) == "boolean" then return more end
      local total = at(answer, "total") or at(answer, "total_count") or at(answer, "count")
      if type(total) == "number" and count > 0 then return total > count end
    end
    """

  static let linked = """
    -- The next page's URL of the Link header.
    local function linked(response, answer, key, count)
      if not key and next(response.links) == nil and saysMore(answer, count) then
        error(("there are more than these %d items, and the answer has no Link header: say how with --next")
          :format(count), 0)
      end
      return response.links.next
    end
    """

  static let checked = """
    -- What the first answer has at the place that --next names.
    local function checked(answer, value, place, key, count)
      if type(value) == "table" then
        local what = isList(value) and "a list" or ("an object (it has: %s)"):format(members(value))
        error(("%s is %s, and no page: say with --next how it goes on"):format(place, what), 0)
      end
      if key or value and value ~= lookahead.null and value ~= "" then return value end
      local more = saysMore(answer, count)
      local lack = value == nil and ("the answer has nothing at %s (it has: %s)"):format(place, members(answer))
        or ("%s leads nowhere"):format(place)
      if more then
        error(("there are more than these %d items, and %s: say how with --next"):format(count, lack), 0)
      elseif more == nil and value == nil then
        lookahead.log.warn(lack .. ": if there are more items, say how they go on with --next")
      end
      return value
    end
    """

  static let totalOf = """
    -- The number of all items, as the answer says it; what is missing is said once.
    local hasWarned = false
    local function totalOf(answer, value, place)
      if value == nil and not hasWarned then
        hasWarned = true
        lookahead.log.warn(("--total %s: the answer has nothing there (it has: %s)"):format(place, members(answer)))
      end
      return value
    end
    """
}
