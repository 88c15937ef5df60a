-- Run by Lua before the program: collects the values that its expressions report, and writes them down when it ends.
local folder = os.getenv('CULPRIT_VALUES')
local own = os.getenv('CULPRIT_LUA_INIT')
local none, seen, longest = {}, {}, 60
local open, format, type, tostring, pairs, select = io.open, string.format, type, tostring, pairs, select

local plain = { ['nil'] = true, boolean = true, number = true, string = true }

function __culprit_value(number, ...)
  local value = ...
  local known = seen[number]
  if known == nil then
    seen[number] = plain[type(value)] and select('#', ...) == 1 and { value } or none
  elseif known ~= none and known[1] ~= value then
    seen[number] = none
  end
  return ...
end

local function literal(known)
  if known == none then return 'null' end
  local value, text = known[1], nil
  if type(value) == 'string' then
    if #value > longest or value:find('[%c\128-\255]') then return 'null' end
    text = '"' .. value:gsub('[\\"]', '\\%0') .. '"'
  elseif type(value) == 'number' then
    if value ~= value or value == math.huge or value == -math.huge then return 'null' end
    text = format('%.14g', value)
    if tonumber(text) ~= value then text = format('%.17g', value) end
    if math.type and math.type(value) == 'float' and not text:find('[.e]') then text = text .. '.0' end
  else
    text = tostring(value)
  end
  return '"' .. text:gsub('[\\"]', '\\%0') .. '"'
end

local isWritten = false
local function write()
  if isWritten then return end
  isWritten = true
  local parts = {}
  for number, known in pairs(seen) do parts[#parts + 1] = '[' .. number .. ',' .. literal(known) .. ']' end
  -- Lua does not know the number of its process.
  local name = tostring(parts):gsub('%W', '') .. os.time() .. math.floor(os.clock() * 1e6)
  local file = open(folder .. '/values-' .. name .. '.json', 'w')
  if not file then return end
  file:write('[' .. table.concat(parts, ',') .. ']')
  file:close()
end

-- What is left when the program ends is collected, which calls this; `os.exit` ends it without that.
if newproxy then
  local last = newproxy(true)
  getmetatable(last).__gc = write
  debug.getregistry()[last] = true
else
  debug.getregistry()[write] = setmetatable({}, { __gc = write })
end
local exit = os.exit
os.exit = function(...)
  write()
  return exit(...)
end

if own then
  local load = loadstring or load
  if own:sub(1, 1) == '@' then dofile(own:sub(2)) else assert(load(own))() end
end
