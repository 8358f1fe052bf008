import { expect, test } from "vitest"
import { mcpLines, mcpTestLines } from "./mcp-lines.ts"

const use = { calls: 3, failures: 0, ms: 1, used: null, failure: null }
const server = {
  title: "files",
  state: "ready" as const,
  tools: [{ id: "files_read", description: "Reads.\nA file." }],
  error: null,
  log: [],
  origin: { file: "/home/.mcp.json", line: 3 },
  use,
}
const broken = {
  ...server,
  title: "bad\u001b[2J",
  state: "failed" as const,
  tools: [],
  error: "It ended.\nIt wrote: x",
  log: ["x"],
}

test("servers that run are listed first, others with what is wrong", () => {
  expect(mcpLines([broken, server])).toEqual([
    expect.stringMatching(/^server +state +tools +calls +about$/),
    expect.stringMatching(/^files +ready +1 +3 +\/home\/\.mcp\.json:3$/),
    expect.stringMatching(/^bad\\u\{1b\}\[2J +failed +0 +3 +It ended\.; \/home\/\.mcp\.json:3$/),
  ])
  expect(mcpLines([])[0]).toContain("docket mcp add")
})

test("a tested server tells its tools, or why it fails", () => {
  expect(mcpTestLines(server)).toEqual(["files runs and has 1 tool", "  files_read  Reads."])
  expect(mcpTestLines(broken)).toEqual(["bad\\u{1b}[2J does not run: It ended.", "  x"])
})
