-- Books of a GraphQL server, as a Relay connection: the cursor goes into the variables.
-- Run: lookahead run strawberry_books.lua --param server=http://127.0.0.1:8000/graphql --allow-net
local parameters = lookahead.parameters { server = { required = true } }

local query = [[query ($first: Int!, $after: String) {
  books(first: $first, after: $after) { pageInfo { hasNextPage endCursor } edges { node { id title serial } } }
}]]

local books = lookahead.source { name = "books", id = "id", pageSize = 100 }

function books.fetch(context)
  local answer = lookahead.http.post(parameters.server,
    { json = { query = query, variables = { first = context.size, after = context.key } } }):json()
  local connection, nodes = answer.data.books, {}
  for _, edge in ipairs(connection.edges) do
    nodes[#nodes + 1] = edge.node
  end
  local page = connection.pageInfo
  return { items = nodes, nextKey = page.hasNextPage and page.endCursor or nil }
end

return books
