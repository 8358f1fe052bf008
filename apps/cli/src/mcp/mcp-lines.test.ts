import type { ListedExtension } from "@docket/core/schema"
import { expect, test } from "vitest"
import { mcpLines, mcpTestLines } from "./mcp-lines.ts"

type Server = Parameters<typeof mcpLines>[0][number]

const use = { calls: 3, failures: 0, ms: 1, used: null, failure: null }
const server: Server = {
  ref: { kind: "mcp", name: "files", projectID: null },
  title: "files",
  state: "ready" as const,
  tools: [{ id: "files_read", description: "Reads.\nA file." }],
  error: null,
  log: [],
  origin: { file: "/home/.mcp.json", line: 3 },
  use,
  switched: null,
}
const broken: Server = {
  ...server,
  title: "bad\u001b[2J",
  state: "failed",
  tools: [],
  error: "It ended.\nIt wrote: x",
  log: ["x"],
}
const brought = { ...server.ref, projectID: "prj_00000000000000000000000000" }

test("servers that run are listed first, others with what is wrong", () => {
  expect(mcpLines([broken, server], null)).toEqual([
    expect.stringMatching(/^server +state +tools +calls +from$/),
    expect.stringMatching(/^files +ready +1 +3 +\/home\/\.mcp\.json:3$/),
    expect.stringMatching(/^bad\\u\{1b\}\[2J +failed +0 +3 +\/home\/\.mcp\.json:3$/),
    "",
    "bad\\u{1b}[2J: It ended. To try again: docket mcp test $'bad\\x1b[2J'",
  ])
  expect(mcpLines([], null)[0]).toContain("docket mcp add")
})

test.each<[Partial<ListedExtension>, string]>([
  [{ state: "waits", ref: brought }, "waits for your trust in the project: docket trust '/my app'"],
  [{ state: "waits" }, "is of another program: Settings → Extensions switches it on here"],
  [
    { state: "waits", installs: "x@1.0.0", error: "The package is not installed." },
    "waits until somebody agrees to its package: docket package install x@1.0.0",
  ],
  [{ state: "waits", error: "The package x has no program y." }, "waits. The package x has no program y."],
  [{ state: "needs-login" }, "needs a sign-in: docket mcp login files"],
  [{ state: "off" }, 'is off, as its entry says: take "enabled" out of it'],
  [
    { state: "off", switched: { state: "off", by: { person: "prs_1", way: "person" } as never, at: 1 } },
    "is off: Settings → Extensions switches it on",
  ],
])("a server that does not run says why: %j", (given, reason) => {
  expect(mcpLines([{ ...server, ...given }], "/my app").slice(2)).toEqual(["", `files: ${reason}`])
})

test("a tested server tells its tools, or why it fails", () => {
  expect(mcpTestLines(server, null)).toEqual(["files runs and has 1 tool", "  files_read  Reads."])
  expect(mcpTestLines(broken, null)).toEqual(["bad\\u{1b}[2J does not run: It ended.", "  x"])
  expect(mcpTestLines({ ...server, state: "needs-login" }, null)).toEqual([
    "files does not run: needs a sign-in: docket mcp login files",
  ])
})
