import { expect, test } from "vitest"
import { mcpNotes, shownMcp } from "./mcp-notes.ts"

test("no secret of a sign-in is shown", () => {
  const idp = { issuer: "https://id.example", clientId: "me", clientSecret: "hush-1", idToken: "hush-2" }
  const oauth = { clientId: "me", clientSecret: "hush-3", privateKey: "hush-4", idp }
  const shown = shownMcp({ type: "remote", url: "https://x.example/mcp", oauth })
  expect(shown).not.toContain("hush")
  expect(shown).toContain("https://id.example")
  const named = { clientId: "me", clientSecret: "{env:SECRET}" }
  expect(shownMcp({ type: "remote", url: "https://x.example/mcp", oauth: named })).toContain("{env:SECRET}")
})

test("a project's server promises no sandbox, and cannot lift it", () => {
  const notes = mcpNotes({ type: "local", command: ["npx", "-y", "pkg"], sandbox: false })
  expect(notes).toEqual([
    expect.stringContaining("without one it has your rights"),
    expect.stringContaining("Its package, pkg of npm, is installed only once"),
    expect.stringContaining("do not count"),
  ])
})
