import type { ToolList } from "@docket/core"
import { expect, test } from "vitest"
import { toolLines, withheldLines } from "./tool-lines.ts"

const tool = (name: string, action: "allow" | "ask" | "deny", withheld: string | null = null) => ({
  name,
  permission: name,
  action,
  partly: name === "read" && action === "allow",
  withheld,
  lack: name === "read" ? "the model cannot see pictures" : null,
})
const list = (agent: string, tools: ToolList["tools"]): ToolList => ({
  agent,
  model: { providerID: "lab", modelID: "m" },
  tools,
  problems: [{ file: "/p/.docket/tool/bad.ts", line: null, column: null, message: "The tool is left out." }],
})
const some = [tool("batch", "allow"), tool("webfetch", "ask"), tool("lsp", "allow", "no server runs")]

test("agents with the same tools share their lines", () => {
  const tools = new Map([
    ["build", list("build", some)],
    ["plan", list("plan", some)],
    ["explore", list("explore", [tool("read", "allow")])],
  ])
  expect(toolLines(tools).join("\n").split("\n")).toEqual([
    "tools of build, plan:",
    "  allow       batch",
    "  ask         webfetch",
    "  not offered lsp",
    "tools of explore:",
    "  allow most  read",
    "/p/.docket/tool/bad.ts: The tool is left out.",
  ])
})

test("why a tool is not offered is said, and what it lacks", () => {
  expect(withheldLines(list("build", [...some, tool("read", "allow")]))).toEqual([
    "  lsp is not offered: no server runs",
    "  read: the model cannot see pictures",
  ])
})
