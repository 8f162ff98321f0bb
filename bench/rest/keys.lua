-- Reads rows by key, as Bench does. Argument: the number of rows.
local requests = {}
init = function(args)
  local rows = tonumber(args[1])
  for i = 0, rows - 1 do
    requests[i + 1] = wrk.format("GET", "/tables/usertable/rows/user" .. i)
  end
  math.randomseed(os.time())
end
request = function()
  return requests[math.random(#requests)]
end
