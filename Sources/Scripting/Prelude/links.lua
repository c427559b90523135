-- The Link header of a response (RFC 8288): a list, in whose quoted texts may stand what ends a part of it elsewhere.
local host = ...

--- rel → URL of the links of the answer from `base`, made absolute; of two with one relation the first counts.
function host.linksIn(header, base)
  local found, position = {}, 1

  -- What the pattern finds here, which is passed; nil if that is something else.
  local function take(pattern)
    local first, last, text = header:find("^" .. pattern, position)
    if not first then return nil end
    position = last + 1
    return text or ""
  end

  -- A text behind its first quote, without the backslashes in it.
  local function quoted()
    local parts, escaped = {}, nil
    repeat
      parts[#parts + 1] = take '([^"\\]*)'
      escaped = take "\\(.?)"
      parts[#parts + 1] = escaped
    until not escaped
    take '"'
    return table.concat(parts)
  end

  -- The parameters of a link; of two with one name the first counts.
  local function parameters()
    local values = {}
    while take "%s*;" do
      local name = take "%s*([^%s=;,]*)%s*":lower()
      local value = take "=%s*" and (take '"' and quoted() or take "'([^',;]*)'" or take "([^%s;,]*)") or ""
      values[name] = values[name] or value
    end
    return values
  end

  while position <= #header do
    take "[%s,]*"
    local target = take "<%s*([^>]*)>"
    if not target and take "<" then break end
    local known = target and parameters() or {}
    -- A link from another place than this answer says nothing of it; some servers have one to what they say has no results.
    if known.results ~= "false" and (not known.anchor or host.urlJoin(base, known.anchor) == host.urlJoin(base, "")) then
      for name in (known.rel or ""):lower():gmatch("%S+") do found[name] = found[name] or host.urlJoin(base, target) end
    end
    while take '[^,"]+' or take '"' and quoted() do end
  end
  return found
end
