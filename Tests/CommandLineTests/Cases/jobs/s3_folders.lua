-- The folders of an S3 bucket and the objects in each; the folders of four pages, the objects of two pages each.
-- Run: lookahead run s3_folders.lua --param bucket=http://127.0.0.1:5000/nested --allow-net
local parameters = lookahead.parameters { bucket = { required = true } }

local function list(context, size, prefix, element, name)
  local body = lookahead.http.get(parameters.bucket, { query = {
    ["list-type"] = 2, delimiter = "/", prefix = prefix, ["max-keys"] = size, ["continuation-token"] = context.key,
  } }).body
  local found = {}
  for text in body:gmatch("<" .. element .. ">.-<" .. name .. ">(.-)</" .. name .. ">") do
    found[#found + 1] = { key = text }
  end
  return { items = found, nextKey = body:match("<NextContinuationToken>(.-)</NextContinuationToken>") }
end

local folders = lookahead.source { name = "folders", id = "key" }

function folders.fetch(context)
  return list(context, 15, nil, "CommonPrefixes", "Prefix")
end

local objects = lookahead.source { name = "objects", id = "key" }

function objects.fetch(context)
  return list(context, 4, context.parameters.folder, "Contents", "Key")
end

for folder in folders:items() do
  for object in objects:with({ folder = folder.key }):items() do
    lookahead.emit { key = object.key, folder = folder.key }
  end
end
