import fc from "fast-check"
import { expect, it } from "vitest"
import { parseSearch, searchLimits } from "./parse-search.ts"
import { emptyAsk, type SearchAsk } from "./search-ask.ts"
import { wordLine } from "./words.ts"

const now = Date.UTC(2026, 10, 22, 12)
const parse = (text: string, more: object = {}) =>
  parseSearch(text, { now, utcOffset: 0, person: "Ann", isTyping: false, ...more })
const term = (text: string, isPrefix = false) => ({ words: text.split(" "), isPrefix })

it("a query holds words, phrases, beginnings, filters and what is excluded", () => {
  const text =
    'agent:explore tool:bash file:src/a.ts verdict:rejected cost:>0.5 after:2026-11-01 by:me "exact words" fix* -old'
  expect(parse(text)).toEqual({
    problems: [],
    ask: {
      ...emptyAsk,
      terms: [term("exact words"), term("fix", true)],
      without: [term("old")],
      is: [
        { name: "agent", values: ["explore"] },
        { name: "tool", values: ["bash"] },
        { name: "by", values: ["ann"] },
      ],
      files: [term("src a ts")],
      verdicts: ["reject"],
      costFrom: 0.5,
      after: Date.UTC(2026, 10, 1),
    },
  })
})

it.each<[string, Partial<SearchAsk>]>([
  ["agent:a AGENT:B", { is: [{ name: "agent", values: ["a", "b"] }] }],
  ['-by:"Ann Lee"', { isNot: [{ name: "by", values: ["ann lee"] }] }],
  ["kind:prompts", { is: [{ name: "kind", values: ["prompt"] }] }],
  ["status:done status:Error", { states: ["completed", "failed"] }],
  ["verdict:needs-changes", { verdicts: ["needs_changes"] }],
  ["cost:<=$2 cost:1", { costFrom: 1, costTo: 2 }],
  ["after:24h before:today", { after: now - 86_400_000, before: Date.UTC(2026, 10, 22) }],
  ["after:2026 before:2026-11-01T14:30", { after: Date.UTC(2026, 0, 1), before: Date.UTC(2026, 10, 1, 14, 30) }],
  ["std::vector --force", { terms: [term("std vector"), term("force")] }],
  ["http://x.y/z", { terms: [term("http x y z")] }],
  ["tree:ses_1A", { trees: ["ses_1A"] }],
  ["toString:x constructor:y __proto__:z", { terms: [term("to string x"), term("constructor y"), term("proto z")] }],
])("the query %s is understood", (text, ask) => {
  expect(parse(text)).toEqual({ problems: [], ask: { ...emptyAsk, ...ask } })
})

it("a day begins by the clock of whoever asks", () => {
  expect(parse("after:2026-11-01", { utcOffset: 60 }).ask?.after).toBe(Date.UTC(2026, 9, 31, 23))
})

it("while typing, the last word is a prefix; empty filters are ignored", () => {
  expect(parse("mend pars", { isTyping: true }).ask?.terms).toEqual([term("mend"), term("pars", true)])
  expect(parse("mend pars ", { isTyping: true }).ask?.terms).toEqual([term("mend"), term("pars")])
  expect(parse('"mend the"', { isTyping: true }).ask?.terms).toEqual([term("mend the")])
  expect(parse("mend agent:", { isTyping: true })).toEqual({
    problems: [],
    ask: { ...emptyAsk, terms: [term("mend")] },
  })
})

it.each([
  "cost:abc",
  "-cost:1",
  "after:never",
  "after:2026-13-01",
  "kind:thing",
  "status:odd",
  "verdict:",
  "tree:x",
  "file:/",
])("%s does not count; a problem says what the filter takes", (text) => {
  const { ask, problems } = parse(text)
  expect(ask).toBeNull()
  expect(problems).toEqual([expect.stringMatching(/^“.+” does not count: .+\.$/)])
})

it.each(["", "   ", '""', "%", "( ) * ^", "\0", "\ud800"])("the query %j asks for nothing", (text) => {
  expect(parse(text)).toEqual({ ask: null, problems: [] })
})

it("only the first part of a huge query counts, with a notice", () => {
  const huge = [
    "a".repeat(1_000_000),
    "agent:a ".repeat(10_000),
    '"'.repeat(1_000_000),
    "-".repeat(1_000_000),
    "x:".repeat(500_000),
  ]
  for (const text of huge) {
    const { ask, problems } = parse(text)
    expect(problems[0]).toBe(`Only the first ${searchLimits.characters} characters of a query count.`)
    const count = ask === null ? 0 : ask.terms.length + (ask.is[0]?.values.length ?? 0)
    expect(count).toBeLessThanOrEqual(searchLimits.pieces)
  }
})

it("no query throws; a text is found by each of its words", () => {
  const typed = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(fc.constantFrom("-", '"', ":", "agent:", "cost:>", "*", " ", "a", "NEAR(", "中", "\ud800"))
      .map((list) => list.join("")),
  )
  fc.assert(
    fc.property(typed, (text) => {
      const { ask } = parse(text)
      for (const { words } of [...(ask?.terms ?? []), ...(ask?.without ?? [])]) {
        expect(words.length).toBeGreaterThan(0)
        for (const word of words) expect(word).toMatch(/^[^\s"'*:()\\]+$/)
      }
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
      const line = wordLine(text)
      for (const { words } of parse(`"${text.replaceAll('"', " ")}"`).ask?.terms ?? [])
        expect(line).toContain(` ${words.join(" ")} `)
    }),
  )
})
