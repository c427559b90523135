-- NAME: a workflow. It reads several sources, joins them, and emits the items that it wants to keep.
-- Run: lookahead run FILE

-- Authors, two pages of them. Made up; scripts that ask a server are in scripts/sources of Lookahead.
local authors = lookahead.source { name = "authors", keys = "page", pageSize = 2 }

function authors.fetch(context)
  local pages = { { { id = 1, name = "Ada" }, { id = 2, name = "Grace" } }, { { id = 3, name = "Alan" } } }
  return { items = pages[context.key] or {}, total = 3 }
end

-- The books of one author: a source with a parameter, which `with` gives it.
local books = lookahead.source { name = "books", keys = "page", pageSize = 10 }

function books.fetch(context)
  local author = context.parameters.author
  local list = {}
  for number = 1, author do
    list[number] = { id = author * 100 + number, title = "volume " .. number }
  end
  return { items = list, isLast = true }
end

-- Each loop is a reader: pages are fetched ahead of it, and it waits only when they are late.
for author in authors:items() do
  for book in books:with { author = author.id }:items() do
    book.author = author.name
    lookahead.emit(book)              -- to the output; emit(book, "books") for streams of several names
  end
end
