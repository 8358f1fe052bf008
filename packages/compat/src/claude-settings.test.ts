import { drawn } from "@docket/config/sampling"
import { parseConfigText } from "@docket/core/other-programs"
import { evaluatePermission, rulesFromConfig } from "@docket/core/rule"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fromClaudeSettings } from "./claude-settings.ts"

/** Docket's decision on an act under translated Claude Code settings. */
function judge(permissions: object, tool: string, text: string): string {
  const { config } = fromClaudeSettings([{ file: "settings.json", value: { permissions } }])
  const parsed = parseConfigText("docket.json", JSON.stringify(config))
  expect(parsed.problems).toEqual([])
  return evaluatePermission(tool, text, rulesFromConfig(parsed.config?.permission ?? {}, { home: "/home/ada" })).action
}

describe("rules of Claude Code", () => {
  it.each([
    [
      { allow: ["Bash(git log:*)"] },
      "bash",
      { "git log": "allow", "git log -1": "allow", "git logx": "ask", "git push": "ask" },
    ],
    [{ allow: ["Bash(npm run lint)"] }, "bash", { "npm run lint": "allow", "npm run lint --fix": "ask" }],
    [{ allow: ["Bash(npm run *)"] }, "bash", { "npm run test": "allow", "npm install": "ask" }],
    [
      { allow: ["Bash"], deny: ["Bash(curl:*)"] },
      "bash",
      { ls: "allow", "curl x": "deny", curl: "deny", curlie: "deny" },
    ],
    [{ allow: ["Bash(git push:*)"], ask: ["Bash(git push:*)"] }, "bash", { "git push": "ask" }],
    [{ allow: ["Bash(ls ?)"] }, "bash", { "ls a": "ask" }],
    [{ deny: ["Bash(12)"], allow: ["Bash"] }, "bash", { "12": "deny", ls: "deny" }],
    [{ defaultMode: "dontAsk", allow: ["Bash(ls:*)"] }, "bash", { ls: "allow", pwd: "deny" }],
    [{ defaultMode: "bypassPermissions" }, "bash", { ls: "ask" }],
    [{ deny: ["Read(~/.zshrc)"] }, "read", { "/home/ada/.zshrc": "deny" }],
    [{ deny: ["Read(.env)"] }, "read", { ".env": "deny", "app/.env": "deny" }],
    [{ deny: ["Read(./secrets/**)"] }, "read", { "secrets/a/b": "deny", secrets: "deny" }],
    [{ deny: ["Read(**/*.pem)"] }, "read", { "a/b/key.pem": "deny", "key.pem": "deny" }],
    [{ deny: ["Read(//etc/passwd)"] }, "read", { "/etc/passwd": "deny" }],
    [{ allow: ["Edit(docs/**)"] }, "edit", { "docs/a/b.md": "allow", "src/a.ts": "ask" }],
    [{ allow: ["Edit(src/*.ts)"] }, "edit", { "src/a.ts": "ask", "src/deep/a.ts": "ask" }],
    [{ allow: ["Write(**/*.md)"] }, "edit", { "a/b.md": "allow", "b.md": "allow", "b.ts": "ask" }],
    [
      { allow: ["WebFetch(domain:example.com)"] },
      "webfetch",
      {
        "https://example.com/a": "allow",
        "https://example.com.evil.org/": "ask",
        "https://evil.org/?https://example.com/": "ask",
        "http://example.com/": "ask",
      },
    ],
    [
      { deny: ["WebFetch(domain:example.com)"], allow: ["WebFetch"] },
      "webfetch",
      {
        "https://example.com:8443/": "deny",
        "https://ada@example.com/": "deny",
        "https://other.org/": "allow",
      },
    ],
    [{ allow: ["WebFetch(domain:*.example.com)"] }, "webfetch", { "https://a.example.com/": "ask" }],
  ])("%j decide as in Claude Code, or more strictly", (permissions, tool, wanted) => {
    const judged = Object.keys(wanted).map((text) => [text, judge(permissions, tool, text)])
    expect(Object.fromEntries(judged)).toEqual(wanted)
  })

  it("never allow more after their translation, and keep every denial", () => {
    const word = fc.constantFrom("git", "log", "push", "npm", "run", "?", "12")
    const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(" "))
    const spec = fc.tuple(words, fc.constantFrom("", ":*", " *", "*"))
    const lists = fc.record({ allow: fc.array(spec), ask: fc.array(spec), deny: fc.array(spec) })
    /** Matches as Claude Code documents its patterns: `:*` and ` *` after whole words, any other `*` anywhere. */
    const covers =
      (command: string) =>
      ([text, ending]: [string, string]) =>
        ending === ""
          ? command === text
          : ending === "*"
            ? command.startsWith(text)
            : command === text || command.startsWith(`${text} `)
    fc.assert(
      fc.property(lists, words, ({ allow, ask, deny }, command) => {
        const rule = ([text, ending]: [string, string]) => `Bash(${text}${ending})`
        const judged = judge({ allow: allow.map(rule), ask: ask.map(rule), deny: deny.map(rule) }, "bash", command)
        // The decision of Claude Code: 0 to allow, 1 to ask, 2 to deny.
        const before = deny.some(covers(command))
          ? 2
          : ask.some(covers(command)) || !allow.some(covers(command))
            ? 1
            : 0
        expect(["allow", "ask", "deny"].indexOf(judged)).toBeGreaterThanOrEqual(before)
      }),
      drawn(1_000, 300),
    )
  })

  it("without a counterpart are noted, like other settings that are left out", () => {
    const { config, notes } = fromClaudeSettings([
      {
        file: "s.json",
        value: {
          model: "opus",
          env: { TOKEN: "secret-value" },
          hooks: {},
          statusLine: {},
          permissions: {
            allow: ["mcp__db__query", "Edit(src/*.ts)", "Frobnicate"],
            additionalDirectories: ["~/notes", "../x"],
          },
        },
      },
    ])
    expect(notes.map(({ key, message }) => `${key}: ${message}`)).toEqual([
      "env: set these variables before you start Docket; their values are not copied",
      "statusLine: the page shows model, cost and context itself",
      'model: write it whole, as "anthropic/claude-sonnet-5"',
      "permissions.additionalDirectories: ../x is asked for: write its whole path",
      "permissions.allow: mcp__db__query: no MCP server is started",
      "permissions.allow: Edit(src/*.ts): Docket cannot say it as narrowly; it is asked instead",
      "permissions.allow: Frobnicate: Docket has no such tool",
    ])
    expect(config.permission).toMatchObject({ external_directory: { "~/notes/*": "allow" } })
    expect(JSON.stringify({ config, notes })).not.toContain("secret-value")
  })
})
