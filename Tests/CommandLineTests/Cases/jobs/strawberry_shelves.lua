-- The books of every shelf of a GraphQL server, eight shelves at once, five books to a page; written shelf by shelf.
-- Run: lookahead run strawberry_shelves.lua --param server=http://127.0.0.1:8000/graphql --allow-net
local parameters = lookahead.parameters { server = { required = true } }

local function ask(query, variables)
  return lookahead.http.post(parameters.server, { json = { query = query, variables = variables } }):json().data
end

local books = lookahead.source { name = "books", id = "serial", pageSize = 5 }

function books.fetch(context)
  local connection = ask([[query ($shelf: String!, $first: Int!, $after: String) {
    shelf(name: $shelf) {
      books(first: $first, after: $after) { pageInfo { hasNextPage endCursor } edges { node { serial title } } }
    }
  }]], { shelf = context.parameters.shelf, first = context.size, after = context.key }).shelf.books
  local nodes = {}
  for place, edge in ipairs(connection.edges) do
    nodes[place] = edge.node
  end
  return { items = nodes, nextKey = connection.pageInfo.hasNextPage and connection.pageInfo.endCursor or nil }
end

local shelves = lookahead.map(ask("{ shelves { name } }").shelves, 8, function(shelf)
  local found = {}
  for book in books:with({ shelf = shelf.name }):items() do
    found[#found + 1] = { serial = book.serial, title = book.title, shelf = shelf.name }
  end
  return found
end)

for _, found in ipairs(shelves) do
  for _, book in ipairs(found) do
    lookahead.emit(book)
  end
end
