/// One line of Lua to begin scripts with: `numbers(count, given)`, a source of the numbers from 1, a second per page of ten.
let numbers = """
  local function numbers(count, given) \
    given = given or {} \
    given.name = given.name or "numbers" \
    given.keys = given.keys or "offset" \
    given.pageSize = given.pageSize or 10 \
    given.fetch = given.fetch or function(context) \
      lookahead.sleep(1) \
      local items = {} \
      for id = context.key + 1, math.min(count, context.key + context.size) do items[#items + 1] = { id = id } end \
      return { items = items } \
    end \
    return lookahead.source(given) \
  end\n
  """
