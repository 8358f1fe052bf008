import type { ConfigEntry } from "@docket/core"
import { describe, expect, it } from "vitest"
import { clipValue } from "./clip-value.ts"
import { groupEntries, pathInside } from "./group-entries.ts"
import { trustSentence } from "./trust-messages.ts"

const entry = (file: string, key: string, fields: Partial<ConfigEntry> = {}): ConfigEntry => ({
  file,
  line: 1,
  column: 1,
  path: [key],
  value: "x",
  rest: null,
  kind: "other",
  note: null,
  known: false,
  counts: false,
  ...fields,
})

describe("the list of what a project sets", () => {
  it("is grouped by file, dangerous entries first", () => {
    const grouped = groupEntries([
      entry("/p/docket.json", "edit", { kind: "permission-restricts" }),
      entry("/p/docket.json", "delegation"),
      entry("/p/a/docket.json", "model", { kind: "model" }),
      entry("/p/a/docket.json", "bash", { kind: "permission-allows" }),
      entry("/p/a/docket.json", "baseURL", { kind: "provider", note: "An address on another machine." }),
    ])
    expect(grouped.map(({ name, entries }) => [name, entries.map(({ path }) => path.join())])).toEqual([
      ["/p/a/docket.json", ["bash", "baseURL", "model"]],
      ["/p/docket.json", ["delegation", "edit"]],
    ])
  })

  it("lists whole files by kind, commands of docket.json with its settings", () => {
    const grouped = groupEntries([
      entry("/p/docket.json", "model", { kind: "model" }),
      entry("/p/docket.json", "", { kind: "command", path: ["command", "day", "template"] }),
      entry("/p/AGENTS.md", "", { kind: "instruction-file", path: ["instruction-file", "AGENTS.md"] }),
      entry("/p/.docket/commands/a.md", "", { kind: "command", path: ["command", "a"] }),
      entry("/p/.claude/commands/b.md", "", { kind: "command", path: ["command", "b"], note: "Runs `curl`." }),
    ])
    expect(grouped.map(({ name, isFile, entries }) => [name, isFile, entries.length])).toEqual([
      ["Commands", false, 2],
      ["/p/docket.json", true, 2],
      ["Instructions for agents", false, 1],
    ])
    expect(grouped[0]?.entries[0]?.note).toBe("Runs `curl`.")
  })

  it("counts servers of a file as servers, and hooks as files", () => {
    const ofKind = (file: string, kind: ConfigEntry["kind"], name: string) =>
      entry(file, "", { kind, path: [kind, name] })
    const grouped = groupEntries([
      ofKind("/p/.mcp.json", "mcp-server", "one"),
      ofKind("/p/.mcp.json", "mcp-server", "two"),
      ofKind("/p/.claude/settings.json", "hook", ".claude/settings.json"),
      entry("/p/docket.json", "", { kind: "hook", path: ["hooks", "Stop"] }),
    ])
    expect(grouped.map(({ name, noun, entries }) => [name, noun, entries.length])).toEqual([
      ["MCP servers", "server", 2],
      ["Hooks", "file", 1],
      ["/p/docket.json", "setting", 1],
    ])
  })

  it("names files as they are seen from the project", () => {
    expect(pathInside("/p", "/p/.docket/agents/build.md")).toBe(".docket/agents/build.md")
    expect(pathInside("/p", "/pp/docket.json")).toBe("/pp/docket.json")
    expect(pathInside(null, "/p/docket.json")).toBe("/p/docket.json")
  })

  it("shows the beginning of long values and offers the rest", () => {
    expect(clipValue({ value: "short", rest: null })).toEqual({ begin: "short", whole: null })
    expect(clipValue({ value: "ab…", rest: "cd" })).toEqual({ begin: "ab…", whole: "abcd" })
    const lines = "1\n2\n3\n4\n5\n6\n7"
    expect(clipValue({ value: lines, rest: null })).toEqual({ begin: "1\n2\n3\n4\n5\n6\n…", whole: lines })
  })
})

describe("the notice", () => {
  const entries = [
    entry("/p/docket.json", "model", { kind: "model" }),
    entry("/p/docket.json", "edit", { kind: "permission-restricts", counts: true }),
  ]
  it("states the trust in one sentence and counts what is ignored", () => {
    expect(trustSentence("It", { state: "untrusted", entries })).toBe(
      "It is not trusted: 1 thing that it brings does not count.",
    )
    expect(trustSentence("It", { state: "changed", entries: [...entries, ...entries] })).toBe(
      "It has changed since you trusted it: 2 things that it brings do not count.",
    )
  })
})
