import { expect, test } from "vitest"
import { filesOfPatch, toClaudeCall } from "./claude-call.ts"

const directory = "/project"

test.each([
  ["bash", { command: "ls", timeout: 5 }, ["Bash", "bash"], { command: "ls", timeout: 5 }],
  ["read", { filePath: "a.ts", offset: 3 }, ["Read", "read"], { file_path: "/project/a.ts", offset: 3 }],
  ["write", { filePath: "/x/a", content: "1" }, ["Write", "write"], { file_path: "/x/a", content: "1" }],
  [
    "edit",
    { filePath: "a", oldString: "1", newString: "2", replaceAll: true },
    ["Edit", "edit"],
    { file_path: "/project/a", old_string: "1", new_string: "2", replace_all: true },
  ],
  [
    "multiedit",
    { filePath: "a", edits: [{ oldString: "1", newString: "2" }] },
    ["MultiEdit", "Edit", "multiedit"],
    { file_path: "/project/a", edits: [{ old_string: "1", new_string: "2" }] },
  ],
  ["grep", { pattern: "x", include: "*.ts" }, ["Grep", "grep"], { pattern: "x", glob: "*.ts" }],
  ["list", { path: "src" }, ["LS", "list"], { path: "/project/src" }],
  ["task", { subagent_type: "explore" }, ["Task", "Agent", "task"], { subagent_type: "explore" }],
  ["async_task", { agent: "explore" }, ["Task", "Agent", "async_task"], { subagent_type: "explore" }],
  ["skill", { name: "pdf" }, ["Skill", "skill"], { skill: "pdf" }],
  ["mine", { path: 7, x: "y" }, ["mine"], { path: 7, x: "y" }],
])("a call of %s has Claude Code's words and comes back", (tool, args, names, input) => {
  const call = toClaudeCall({ tool, args }, directory)
  expect([call.names, call.input]).toEqual([names, input])
  expect(call.back(call.input)).toEqual(args)
})

test("other arguments come back in Docket's words", () => {
  const call = toClaudeCall({ tool: "edit", args: { filePath: "a", oldString: "1", newString: "2" } }, directory)
  expect(call.back({ ...call.input, file_path: "/project/b", new_string: "3" })).toEqual({
    filePath: "/project/b",
    oldString: "1",
    newString: "3",
  })
})

test("a tool of an MCP server is named by server and tool", () => {
  const origin = { kind: "mcp", name: "memory", tool: "add-node" } as const
  const call = toClaudeCall({ tool: "memory_add-node", origin, args: {} }, directory)
  expect(call.names).toEqual(["mcp__memory__add-node", "memory_add-node"])
})

test("a patch is the edits and new files that it makes", () => {
  const patchText = [
    "*** Begin Patch",
    "*** Update File: a.ts",
    "*** Move to: b.ts",
    " same",
    "-old",
    "+new",
    "*** Delete File: c.ts",
    "*** End Patch",
  ].join("\n")
  const seen = filesOfPatch({ tool: "apply_patch", args: { patchText } }, directory)
  expect(seen.map(({ names, input }) => [names[0], input])).toEqual([
    ["Edit", { file_path: "/project/a.ts", old_string: "same\nold", new_string: "same\nnew" }],
    ["Write", { file_path: "/project/b.ts", content: "same\nnew" }],
    ["Edit", { file_path: "/project/c.ts", old_string: "", new_string: "" }],
  ])
  expect(filesOfPatch({ tool: "apply_patch", args: { patchText: "no patch" } }, directory)).toEqual([])
})
