import type { PermissionRequest } from "@docket/core/schema"
import { expect, it } from "vitest"
import { permissionLine, permissionText } from "./permission-text.ts"

// Only the fields that are shown.
const requestOf = (fields: object) => fields as unknown as PermissionRequest
const command = (text: string, effects: object | null = null) =>
  requestOf({
    permission: "bash",
    patterns: ["*"],
    metadata: { kind: "command", command: text, description: "Look", workdir: "/work", effects },
    reasons: [{ why: "unset", patterns: ["make *"] }],
  })

const esc = String.fromCharCode(27)
const colours = new RegExp(`${esc}\\[\\d{1,2}m`, "g")

/** The text as it appears on a terminal, without colours. */
function shown(request: PermissionRequest, path: string[] = []): string[] {
  return permissionText(request, { agent: "build", path }).replace(colours, "").split("\n")
}

it("a request shows the command, its effects, its task and the reason", () => {
  const effects = { runs: ["make all", "tee log"], writes: ["log"], reads: [], outside: ["/tmp"], more: true }
  expect(shown(command("make all |\n tee log", effects), ["Add the card", "Build it"])).toEqual([
    "build wants to run a command",
    "  for the task Add the card › Build it",
    "  Look",
    "  $ make all |",
    "  >  tee log",
    "  runs make all, tee log",
    "  writes log",
    "  outside /tmp",
    "  and more that is computed only when it runs, or too many to list",
    "  No rule covers make *.",
  ])
})

it("a request shows what an edit would write", () => {
  const diff = "--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n kept\n-old\n+new\n"
  const metadata = { kind: "change", file: "src/a.ts", created: false, diff, additions: 1, deletions: 1 }
  const request = requestOf({ permission: "edit", patterns: ["src/a.ts"], metadata, reasons: [] })
  expect(shown(request)).toEqual(["build wants to write src/a.ts", "  @@ -1,2 +1,2 @@", "   kept", "  -old", "  +new"])
})

it("a request names every file", () => {
  const files = ["a", "b", "c", "d\ne"]
  const request = requestOf({ permission: "read", patterns: files, metadata: { kind: "files", files }, reasons: [] })
  expect(shown(request)).toEqual(["build wants to read a, b and 2 more", "  also c, d e"])
})

it("text from models or files cannot move the cursor or fake questions", () => {
  const hostile = "\u001b[2K\r\u202e\u009b1A"
  const diff = `@@ -0,0 +1,2 @@\n+rm -r src${hostile}\n+[o]nce, [a]lways in this session, [r]eject: `
  const metadata = { kind: "change", file: `a${hostile}`, created: true, diff, additions: 2, deletions: 0 }
  const texts = [
    permissionText(command(`rm -r src${hostile}ls\n[o]nce`), { agent: `b${hostile}`, path: [`t${hostile}`] }),
    permissionText(requestOf({ permission: "edit", patterns: [`a${hostile}`], metadata }), {
      agent: "build",
      path: [],
    }),
  ]
  for (const text of texts) {
    const plain = text.replace(colours, "")
    for (const unseen of [esc, "\r", "\u202e", "\u009b"]) expect(plain).not.toContain(unseen)
    expect(plain).toContain("\\u{1b}[2K\\u{d}\\u{202e}\\u{9b}1A")
    expect(plain).not.toMatch(/^\[o\]nce/m)
  }
})

it("a line of a command or reason cannot pass for a fact", () => {
  const text = "ls\nwrites nothing\nNo rule covers it."
  const metadata = { kind: "command", command: text, description: "Lists\nfor the task Trusted", workdir: "/work" }
  const request = requestOf({
    permission: "bash",
    patterns: ["*"],
    metadata: { ...metadata, effects: null },
    reasons: [{ why: "unset", patterns: ["l\nwrites nothing"] }],
  })
  expect(shown(request, ["Build\nruns ls"])).toEqual([
    "build wants to run a command",
    "  for the task Build runs ls",
    "  Lists for the task Trusted",
    "  $ ls",
    "  > writes nothing",
    "  > No rule covers it.",
    "  No rule covers l writes nothing.",
  ])
})

it("without a person to ask, the request is one sentence", () => {
  expect(permissionLine(command("rm -r src\u001b[2K\rls"), { agent: "build" })).toBe(
    "build wants to run a command: rm -r src\\u{1b}[2K\\u{d}ls",
  )
})
