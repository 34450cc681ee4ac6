-- SPDX-License-Identifier: Apache-2.0
-- Neovim's own client and `cuda-morph lsp`: nvim --headless -u NONE -c 'luafile lsp_neovim.lua' in a
-- folder with a.py and cuda-morph.toml. Writes "ok WHAT" or "not ok WHAT" to the file $RESULT.
local result = assert(io.open(os.getenv("RESULT"), "w"))

local function check(what, ok, detail)
  result:write((ok and "ok " or "not ok ") .. what .. (ok and "" or ": " .. vim.inspect(detail)) .. "\n")
end

local function found(n)
  vim.wait(20000, function() return #vim.diagnostic.get(0) == n end, 20)
  return vim.diagnostic.get(0)
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000) or {}
  for _, answer in pairs(answers) do return answer.result end
end

local function actions(line)
  local params = vim.lsp.util.make_range_params()
  params.range = { start = { line = line, character = 0 }, ["end"] = { line = line, character = 99 } }
  params.context = { diagnostics = {} }
  return ask("textDocument/codeAction", params) or {}
end

local function main()
  vim.cmd("edit a.py")
  local id = vim.lsp.start_client({ name = "cuda-morph", cmd = { os.getenv("TOOL"), "lsp" }, root_dir = vim.fn.getcwd() })
  check("the server starts", id, id)
  vim.lsp.buf_attach_client(0, id)
  local list = found(2)
  check("two diagnostics", #list == 2, list)
  check("the place", list[1] and list[1].lnum == 1 and list[1].col == 19, list[1])
  check("the source", list[1] and list[1].source == "cuda-morph", list[1])
  local offered = actions(1)
  check("quick fixes", #offered >= 2, offered)
  local encoding = vim.lsp.get_client_by_id(id).offset_encoding
  vim.lsp.util.apply_workspace_edit(offered[1].edit, encoding)
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  check("the fix is applied", text:find("import torch_npu", 1, true) and text:find(".npu()", 1, true), text)
  list = found(1)
  check("one is left", #list == 1, list)
  local hover = ask("textDocument/hover", {
    textDocument = vim.lsp.util.make_text_document_params(),
    position = { line = list[1].lnum, character = list[1].col },
  })
  check("hover", hover and hover.contents.value:find("torch-device/device-string", 1, true), hover)
  vim.api.nvim_buf_set_lines(0, list[1].lnum, list[1].lnum + 1, false, { "# gone" })
  check("none is left", #found(0) == 0, vim.diagnostic.get(0))
  vim.lsp.stop_client(id)
  check("the server ends", vim.wait(20000, function() return vim.lsp.client_is_stopped(id) end, 20), id)
end

local ok, message = pcall(main)
if not ok then check("the script", false, message) end
result:close()
vim.cmd("qall!")
