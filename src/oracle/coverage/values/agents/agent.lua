-- Run by Lua before the program: notes the values that its expressions report as soon as they are known, because a crash leaves no time for it.
local folder = os.getenv('CULPRIT_VALUES')
local own = os.getenv('CULPRIT_LUA_INIT')
local none, seen, longest = {}, {}, 60
local open, format, type, tostring, select = io.open, string.format, type, tostring, select
local huge, kindOf, time, clock = math.huge, math.type, os.time, os.clock
local find, gsub, tonumber = string.find, string.gsub, tonumber

local function literalOf(value)
  local kind = type(value)
  if kind == 'string' then
    if #value > longest or find(value, '[%c\128-\255]') then return nil end
    return '"' .. gsub(value, '[\\"]', '\\%0') .. '"'
  elseif kind == 'number' then
    if value ~= value or value == huge or value == -huge then return nil end
    local text = format('%.14g', value)
    if tonumber(text) ~= value then text = format('%.17g', value) end
    if kindOf and kindOf(value) == 'float' and not find(text, '[.e]') then text = text .. '.0' end
    return text
  end
  return (kind == 'nil' or kind == 'boolean') and tostring(value) or nil
end

local file
local function note(number, literal)
  if file == nil then
    -- Lua does not know the number of its process.
    local name = gsub(tostring(seen), '%W', '') .. time() .. format('%.0f', clock() * 1e6)
    file = open(folder .. '/values-' .. name .. '.lines', 'a') or false
    if file then file:setvbuf('no') end
  end
  local text = literal and '"' .. gsub(literal, '[\\"]', '\\%0') .. '"' or 'null'
  if file then file:write('[' .. number .. ',' .. text .. ']\n') end
end

function __culprit_value(number, ...)
  local value = ...
  local known = seen[number]
  if known == nil then
    local literal = select('#', ...) == 1 and literalOf(value) or nil
    seen[number] = literal and { value } or none
    note(number, literal)
  elseif known ~= none and known[1] ~= value then
    seen[number] = none
    note(number, nil)
  end
  return ...
end

if own then
  local load = loadstring or load
  if own:sub(1, 1) == '@' then dofile(own:sub(2)) else assert(load(own))() end
end
