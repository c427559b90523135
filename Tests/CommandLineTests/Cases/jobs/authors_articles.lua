-- Authors and the articles of each, both numbered pages of Django REST framework, with the author's name in each article.
-- Run: lookahead run authors_articles.lua --param server=http://127.0.0.1:8000 --allow-net
local parameters = lookahead.parameters { server = { required = true } }

local function page(path, context)
  local answer = lookahead.http.get(parameters.server .. path, { query = { page = context.key } }):json()
  return { items = answer.results, total = answer.count, isLast = answer.next == lookahead.null }
end

local authors = lookahead.source { name = "authors", id = "id", keys = "page", pageSize = 20 }

function authors.fetch(context)
  return page("/authors/", context)
end

local articles = lookahead.source { name = "articles", id = "id", keys = "page", pageSize = 20 }

function articles.fetch(context)
  return page("/authors/" .. context.parameters.author .. "/articles/", context)
end

for author in authors:items() do
  for article in articles:with({ author = author.id }):items() do
    article.authorName = author.name
    lookahead.emit(article)
  end
end
