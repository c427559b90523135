-- The objects of an S3 bucket by ListObjectsV2, whose answers are XML, 500 keys to a page.
-- Run: lookahead run s3_objects.lua --param bucket=http://127.0.0.1:5000/archive --allow-net
local parameters = lookahead.parameters { bucket = { required = true } }

local names = { amp = "&", lt = "<", gt = ">", quot = '"', apos = "'" }

local function text(xml, name)
  local found = xml:match("<" .. name .. ">(.-)</" .. name .. ">")
  return found and found:gsub("&(%a+);", names)
end

local objects = lookahead.source { name = "objects", id = "key", pageSize = 500 }

function objects.fetch(context)
  local body = lookahead.http.get(parameters.bucket,
    { query = { ["list-type"] = 2, ["max-keys"] = context.size, ["continuation-token"] = context.key } }).body
  local found = {}
  for entry in body:gmatch("<Contents>(.-)</Contents>") do
    found[#found + 1] = { key = text(entry, "Key"), size = tonumber(text(entry, "Size")) }
  end
  return { items = found, nextKey = text(body, "NextContinuationToken") }
end

return objects
