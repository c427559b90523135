-- Lists of items: what is none, and what a transform answers in the place of an item.
local host = ...

--- Behind "a list of items", what is to be said of a table without elements that is no empty list; nil of one that is.
function host.noList(value)
  local expected = host.checks.list(value)
  return expected and expected:sub(#"a list" + 1)
end

-- The length of a list that a transform answers; one with gaps is a mistake, which would end at the first of them.
local function wholeLength(list)
  local count, length = 0, host.length(list)
  local mistake = length == 0 and host.noList(list)
  if mistake then
    host.misuse("transform: expected an item, nil or a list of items%s, got %s", mistake, host.shown(list))
  end
  if rawlen(list) ~= length then return length end
  for _ in next, list do count = count + 1 end
  if count ~= length then
    host.misuse("transform: expected an item, nil or a list of items, got a list of %d with %d of them missing or named",
      length, math.abs(length - count))
  end
  return length
end

--- Puts a list that a transform answers behind the items that are kept, and answers how many there are then.
function host.addAll(kept, count, result)
  if not host.isList(result) then
    kept[count + 1] = result
    return count + 1
  end
  local length = wholeLength(result)
  for place = 1, length do kept[count + place] = result[place] end
  return count + length
end
