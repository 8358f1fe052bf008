import { describe, expect, it } from "vitest"
import { homeOwner } from "./find-paths.ts"
import { type Decisions, redactAll, redactRow } from "./redact-row.ts"
import { scanRow } from "./scan-row.ts"
import { createScanner } from "./scanner.ts"

const scanner = createScanner({ key: "k", owner: homeOwner("/home/alice"), known: [], patterns: [] })
const secret = `AKIA${"Q7XZ".repeat(4)}`
const label = "[redacted: AWS access key]"
const redacted = (row: unknown, decisions: Decisions = redactAll) => redactRow(scanRow(scanner, row), decisions)

describe("a row", () => {
  it("has its secrets redacted in every string, and is otherwise unchanged", () => {
    const part = (text: string) => ({
      id: "prt_1",
      type: "tool",
      tool: "bash",
      state: {
        status: "completed",
        input: { command: `export KEY=${text}`, list: [text, 1, null] },
        output: `a ${text} b`,
        title: text,
        metadata: { [text]: 1, diff: `+${text}`, nested: { error: text } },
      },
    })
    expect(redacted(part(secret))).toEqual(part(label))
    const clean = part("nothing")
    expect(redacted(clean)).toBe(clean)
  })

  it("keeps ids and states, which Docket makes", () => {
    const row = { id: secret, type: secret, status: secret, text: "x" }
    expect(redacted(row)).toBe(row)
  })

  it("numbers a member whose redacted name equals another's", () => {
    const other = `AKIA${"R7XZ".repeat(4)}`
    expect(redacted({ metadata: { [secret]: 1, [other]: 2 } })).toEqual({
      metadata: { [label]: 1, [`${label} (2)`]: 2 },
    })
  })

  it("is read as one text over the items of a list", () => {
    const row = { todos: [{ content: `first ${secret.slice(0, 9)}` }, { content: `${secret.slice(9)} last` }] }
    expect(redacted(row)).toEqual({ todos: [{ content: `first ${label}` }, { content: `${label} last` }] })
  })

  it("does not join strings of different members", () => {
    const row = { title: `AKIA${"Q7XZ".repeat(3)}Q7X`, error: "Z and more" }
    expect(JSON.stringify(redacted(row))).toContain("Z and more")
  })

  it("is also redacted inside a text file sent as a data URL", () => {
    const url = (text: string) => `data:text/plain;base64,${Buffer.from(text).toString("base64")}`
    expect(redacted({ type: "file", url: url(`key ${secret}\n`) })).toEqual({
      type: "file",
      url: url(`key ${label}\n`),
    })
    const image = {
      type: "file",
      url: `data:image/png;base64,${Buffer.from([137, 80, 78, 71, 0, 1, 2]).toString("base64")}`,
    }
    expect(redacted(image)).toBe(image)
  })
})

describe("a decision", () => {
  const row = { type: "text", text: `at /home/alice/x with ${secret}` }
  const digest = scanner.find(secret)[0]?.digest ?? ""

  it("lets a finding stand, hides it, or leaves its row out", () => {
    expect(redacted(row, { digests: { [digest]: "accept" }, rules: {} })).toEqual({
      type: "text",
      text: `at ~/x with ${secret}`,
    })
    expect(redacted(row, { digests: {}, rules: { "home-path": "accept" } })).toEqual({
      type: "text",
      text: `at /home/alice/x with ${label}`,
    })
    expect(redacted(row, { digests: { [digest]: "omit" }, rules: {} })).toBeNull()
  })

  it("on one finding goes before one on its rule", () => {
    const rules = { "aws-access-key": "omit" } as const
    expect(redacted(row, { digests: { [digest]: "redact" }, rules })).toMatchObject({ text: `at ~/x with ${label}` })
  })
})

it("a growing text is shown up to where a secret may begin", () => {
  const scanned = scanRow(
    scanner,
    { text: `the key ${secret.slice(0, 12)}` },
    { isGrowing: ([name]) => name === "text" },
  )
  expect(redactRow(scanned, redactAll)).toEqual({ text: "the key " })
})

it("only a limited number of row ends is remembered, however many come", () => {
  let before: readonly string[] = []
  for (let count = 0; count < 50; count++) {
    const { tails } = scanRow(scanner, { text: `${secret} of today` }, { before })
    expect(tails.length).toBeLessThanOrEqual(8)
    before = [...before, ...tails].slice(-32)
  }
  expect(before.join("").length).toBeLessThan(1_000)
})

it.each([
  ["spaces", " "],
  ["backslashes", "\\"],
  ["beginnings of private keys", "-----BEGIN PRIVATE KEY-----"],
  ["beginnings of tokens", "eyJ."],
  ["at signs of a diff", "\n@@"],
  ["open terminal codes", "\u001b]8;;"],
  ["percent signs", "%25"],
  ["keys", `AKIA${"Q7XZ".repeat(4)} `],
  ["ends of links", "://a:"],
])("a scan takes linear time, even for text of %s only", (_, piece) => {
  // What is quadratic takes minutes for this.
  const text = piece.repeat(Math.ceil(600_000 / piece.length))
  expect(scanRow(scanner, { text }).texts).toHaveLength(1)
  expect(scanner.openAt(text)).toBeLessThanOrEqual(text.length)
})
