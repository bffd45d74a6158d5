-- An editor that speaks the protocol: it opens the file MODEL, prints what it is told, and applies the first fix.
local surety, file = vim.env.SURETY, vim.env.MODEL
vim.cmd("edit " .. file)
local client = vim.lsp.start_client({ name = "surety", cmd = { surety, "lsp" }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, client)
local function say(text) io.stdout:write(text .. "\n") end
local function wait_for(what, condition)
  if not vim.wait(10000, condition, 20) then say("no " .. what); vim.cmd("cquit") end
end
local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 10000)
  return answers and answers[client] and answers[client].result
end
wait_for("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
for _, d in ipairs(vim.diagnostic.get(0)) do say(("%d:%d %s"):format(d.lnum + 1, d.col + 1, d.message)) end
local document = { uri = vim.uri_from_bufnr(0) }
local d = vim.diagnostic.get(0)[1]
local range = { start = { line = d.lnum, character = d.col }, ["end"] = { line = d.lnum, character = d.end_col } }
local fixes = ask("textDocument/codeAction", { textDocument = document, range = range,
  context = { diagnostics = {} } })
for _, fix in ipairs(fixes or {}) do say("fix: " .. fix.title) end
if fixes and fixes[1] then vim.lsp.util.apply_workspace_edit(fixes[1].edit, "utf-16") end
wait_for("end of diagnostics", function() return #vim.diagnostic.get(0) == 0 end)
for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do say("| " .. line) end
for _, symbol in ipairs(ask("textDocument/documentSymbol", { textDocument = document }) or {}) do say("symbol: " .. symbol.name) end
for _, lens in ipairs(ask("textDocument/codeLens", { textDocument = document }) or {}) do say("lens: " .. lens.command.title) end
local hover = ask("textDocument/hover", { textDocument = document, position = { line = 0, character = 0 } })
say("hover: " .. vim.inspect(hover and hover.contents):gsub("%s+", " "))
local function at(line, character) return { textDocument = document, position = { line = line, character = character } } end
local there = ask("textDocument/definition", at(2, 22))
say(("definition: %d:%d"):format(there.range.start.line, there.range.start.character))
say("references: " .. #ask("textDocument/references", at(2, 22)))
for _, each in ipairs(ask("textDocument/completion", at(2, 10)) or {}) do
  if each.label:match("^[A-Z]+$") and each.kind == 6 then say("completion: " .. each.label) end
end
-- The same server has files of other languages.
for _, name in ipairs(vim.split(vim.env.MORE, " ")) do
  vim.cmd("edit " .. name)
  vim.lsp.buf_attach_client(0, client)
  wait_for("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
  d = vim.diagnostic.get(0)[1]
  say(("%s %d:%d %s"):format(vim.fn.fnamemodify(name, ":e"), d.lnum + 1, d.col + 1, d.message))
  for _, symbol in ipairs(ask("textDocument/documentSymbol", { textDocument = { uri = vim.uri_from_bufnr(0) } }) or {}) do
    say("symbol: " .. symbol.name)
  end
end
vim.cmd("qall!")
