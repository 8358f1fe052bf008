import { describe, expect, it, test } from "vitest"
import type { PermissionMetadata } from "../schema/index.ts"
import { alwaysOfServer, askedText, describeAsk } from "./describe-ask.ts"

const change = { file: "a.ts", diff: "-a\n+b", additions: 1, deletions: 1, created: false, truncated: false }

const act = (does: string, ...what: string[]) => ({ act: { does, what, where: null } })

const asks: [permission: string, metadata: PermissionMetadata, shown: object][] = [
  [
    "bash",
    { kind: "command", command: "ls", description: "Look", workdir: "/" },
    { ...act("run a command"), title: "Look", command: "ls" },
  ],
  [
    "read",
    { kind: "command", command: "cat b", description: "", workdir: "/" },
    { ...act("let this command read", "x", "y"), title: "", command: "cat b" },
  ],
  ["edit", { kind: "change", ...change, diffOmitted: false }, { ...act("write", "x", "y"), diff: "-a\n+b" }],
  [
    "edit",
    { kind: "change", ...change, created: true, diff: "", diffOmitted: true },
    { ...act("write the new file", "x", "y"), title: "+1 −1 lines, too many to show" },
  ],
  [
    "external_directory",
    { kind: "change", ...change, file: "/tmp/a.ts", diffOmitted: false },
    { act: { does: "write", what: ["/tmp/a.ts"], where: "outside the project" }, diff: "-a\n+b" },
  ],
  ["read", { kind: "files", files: ["a", "b"] }, act("read", "a", "b")],
  [
    "external_directory",
    { kind: "path", path: "/tmp/x", act: "read" },
    { act: { does: "read", what: ["/tmp/x"], where: "outside the project" } },
  ],
  ["list", { kind: "path", path: "src" }, act("list", "src")],
  [
    "grep",
    { kind: "search", pattern: "x", path: "src", include: "*.ts" },
    { ...act("search for", "x"), title: "in src (*.ts)" },
  ],
  [
    "task",
    { kind: "task", tool: "async_task", agent: "explore", description: "Look" },
    { ...act("start", "@explore"), title: "Look" },
  ],
  ["doom_loop", { kind: "repeat", tool: "bash", input: {}, times: 3 }, { tool: "bash" }],
  ["schedule", { kind: "schedule", command: "list" }, { command: "list", title: "" }],
  ["memory", { kind: "other" }, { ...act("use", "memory"), title: "x, y" }],
  ["memory", { kind: "other", title: "Older words" }, { title: "Older words" }],
  [
    "acp",
    { kind: "other", title: "Find “x”", program: { kind: "search", tool: "Grep", files: [] } },
    { ...act("search with its tool", "Grep"), title: "Find “x”" },
  ],
  [
    "acp",
    { kind: "other", title: "files__move", program: { kind: "other", tool: "files__move", files: [] } },
    { ...act("use its tool", "files__move"), title: "" },
  ],
  [
    "acp",
    { kind: "other", title: "Tidy", program: { kind: "later", tool: "Tidy", files: ["a.ts"], diff: "-a\n+b" } },
    { ...act("use its tool on", "a.ts"), title: "Tidy", diff: "-a\n+b" },
  ],
  [
    "edit",
    { kind: "other", title: "", program: { kind: "delete", tool: "rm", files: ["a.ts", "b.ts"] } },
    { ...act("delete", "a.ts", "b.ts"), title: "rm", alsoNamed: [] },
  ],
  [
    "edit",
    { kind: "other", title: "", program: { kind: "delete", tool: "rm", files: ["a.ts", "b.ts", "c\u202e", "d"] } },
    { alsoNamed: ["c\\u{202e}", "d"] },
  ],
]

describe("the arguments of a tool of others", () => {
  const shownOf = (input: unknown) =>
    describeAsk({ permission: "crm_send", patterns: ["calls"], metadata: { kind: "other", title: "send", input } })
      .input

  it("are shown with every character visible", () => {
    expect(shownOf({ to: "a\u202Eb", many: [1] })).toBe('{\n  "to": "a\\u{202e}b",\n  "many": [\n    1\n  ]\n}')
    expect(shownOf({})).toBeNull()
    expect(shownOf(undefined)).toBeNull()
  })

  it("are cut, with what is left out counted", () => {
    const text = shownOf({ body: "x".repeat(30_000) })
    expect(text).toMatch(/… and 10,\d{3} more characters$/)
  })
})

describe("describeAsk", () => {
  it.each(asks)("says what a request for %s is about: %j", (permission, metadata, shown) => {
    expect(describeAsk({ permission, patterns: ["x", "y"], metadata })).toMatchObject(shown)
  })

  it("shows bidi control characters as escapes", () => {
    const metadata = { kind: "command", command: "cat \u202etxt.exe", description: "\u202e", workdir: "/" } as const
    expect(describeAsk({ permission: "bash", patterns: [], metadata })).toMatchObject({
      tool: "bash",
      title: "\\u{202e}",
      command: "cat \\u{202e}txt.exe",
      diff: null,
    })
  })

  it("falls back to the patterns for a kind from a newer server", () => {
    const metadata = { kind: "teleport", command: "not read by its key" } as unknown as PermissionMetadata
    expect(describeAsk({ permission: "teleport", patterns: ["x", "y"], metadata })).toMatchObject({
      title: "x, y",
      command: null,
    })
  })
})

it("a rule about a program's own tools is named in words", () => {
  const metadata: PermissionMetadata = { kind: "other", program: { kind: "other", tool: "move", files: [] } }
  const rule = { permission: "acp", pattern: "mo*", action: "ask" as const }
  const reasons = [{ why: "rule" as const, patterns: ["move"], rule }]
  const shown = describeAsk({ permission: "acp", patterns: ["move"], metadata, reasons })
  expect(shown.reasons).toEqual(["A rule asks for the program's own tools (“acp”), where the call matches “mo*”."])
})

it("a request to leave the sandbox says what that allows", () => {
  const metadata = {
    kind: "command",
    command: "docker ps",
    description: "",
    workdir: "/p",
    outside: "It needs Docker's socket.",
  } as const
  const rule = { permission: "sandbox", pattern: "*", action: "ask" as const }
  const reasons = [{ why: "rule" as const, patterns: ["docker ps"], rule }]
  expect(describeAsk({ permission: "sandbox", patterns: ["docker ps"], metadata, reasons })).toMatchObject({
    act: { does: "run a command outside the sandbox" },
    command: "docker ps",
    reasons: [
      "Outside the sandbox it has all your rights: your files and keys, other projects and the network.",
      "Why outside: It needs Docker's socket.",
      "Each command that leaves the sandbox has to be allowed.",
    ],
  })
})

describe("a request about an MCP server", () => {
  const server = { name: "oc", use: "tool", tool: "say", says: "The server says that it only reads." } as const
  const ask = (rule: { permission: string; pattern: string }, why: "rule" | "unset" = "rule") => ({
    permission: "oc_say",
    patterns: ["calls fd1651aa5c48"],
    metadata: { kind: "other", title: "say of the MCP server “oc”", server } as const,
    reasons: [{ why, patterns: ["calls fd1651aa5c48"], rule: { ...rule, action: "ask" as const } }],
  })

  it("names the tool and the server, and no digest", () => {
    const asked = ask({ permission: "oc_*", pattern: "*" })
    const shown = describeAsk(asked)
    expect(shown).toMatchObject({
      act: { does: "call", what: ["say"], where: "of the MCP server “oc”" },
      title: "The server says that it only reads.",
      reasons: ["A rule asks for all tools of the MCP server “oc”."],
    })
    expect(askedText(asked)).toBe("call say of the MCP server “oc”")
    expect(JSON.stringify([shown, alwaysOfServer(asked)])).not.toContain("fd1651aa5c48")
    expect(alwaysOfServer(asked)).toBe("calls of say of the MCP server “oc”, as long as both stay as they are now,")
  })

  it.each([
    [{ permission: "*", pattern: "*" }, "A rule asks for everything that no other rule is about."],
    [{ permission: "oc_say", pattern: "*" }, "A rule asks for uses of “oc_say”."],
    [
      { permission: "o*", pattern: "calls *" },
      "A rule asks for tools whose names match “o*”, where the call matches “calls *”.",
    ],
  ])("says in words which rule asks: %j", (rule, words) => {
    expect(describeAsk(ask(rule)).reasons).toEqual([words])
  })

  it("says that no rule covers it", () => {
    expect(describeAsk(ask({ permission: "*", pattern: "*" }, "unset")).reasons).toEqual(["No rule covers this."])
  })

  it("shows hidden characters of its name", () => {
    const metadata = { kind: "other", server: { ...server, name: "o\u202ec" } } as const
    expect(describeAsk({ permission: "x", patterns: [], metadata }).act.where).toBe("of the MCP server “o\\u{202e}c”")
  })
})

const askedOf = (permission: string, patterns: string[], metadata: PermissionMetadata) =>
  askedText({ permission, patterns, metadata })
const aCommand = (text: string): PermissionMetadata => ({
  kind: "command",
  command: text,
  description: "Run it",
  workdir: "/p",
})

test("a question is one line with the command or the file names", () => {
  expect(askedOf("bash", ["npm test"], aCommand("npm test\n  --watch"))).toBe("npm test --watch")
  expect(askedOf("read", ["a", "b", "c"], { kind: "files", files: ["a", "b", "c"] })).toBe("read a, b and 1 more")
  expect(askedOf("bash", ["x"], aCommand("echo ".repeat(100)))).toHaveLength(160)
})

test("a question never contains characters that hide or reorder its text", () => {
  expect(askedOf("bash", ["x"], aCommand("echo \u202egnp.txt"))).not.toContain("\u202e")
})
