import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, test } from "vitest"
import { addUsage, formatCost, formatTokens, formatUsage, noUsage, treeUsage, type Usage } from "./usage.ts"

/** Costs as a step has them: whole 1e-10 USD. */
const usage = fc
  .tuple(fc.nat(100_000), fc.nat(5_000), fc.nat(5_000), fc.nat(500_000), fc.nat(1_000_000_000))
  .map(([input, output, reasoning, read, tenBillionths]): Usage => {
    return { tokens: { input, output, reasoning, cache: { read, write: 1 } }, cost: tenBillionths / 1e10 }
  })

/** A tree whose sessions each lie under an earlier one, with the calls of models that each made. */
const tree = fc
  .array(fc.record({ under: fc.nat(), calls: fc.array(usage, { maxLength: 4 }) }), { minLength: 1, maxLength: 14 })
  .map((drawnSessions) =>
    drawnSessions.map(({ under, calls }, index) => ({
      id: `ses_${index}`,
      parentID: index === 0 ? null : `ses_${under % index}`,
      calls,
    })),
  )
interface Drawn {
  id: string
  parentID: string | null
  calls: Usage[]
}

const sum = (usages: readonly Usage[]) => usages.reduce(addUsage, noUsage)
const row = ({ id, parentID, calls }: Drawn) => ({ id, parentID, ...sum(calls) })

/** Whether a session is another one or lies below it. */
function isUnder(sessions: readonly Drawn[], id: string, top: string): boolean {
  const parentID = sessions.find((session) => session.id === id)?.parentID ?? null
  return id === top || (parentID !== null && isUnder(sessions, parentID, top))
}

test("every call counts once in the tree and in each subtree", () => {
  fc.assert(
    fc.property(tree, fc.infiniteStream(fc.nat()), (sessions, order) => {
      const rows = sessions.map(row)
      const totals = treeUsage(rows)
      expect(totals.whole).toEqual(sum(sessions.flatMap(({ calls }) => calls)))
      expect(totals.subtree("ses_0")).toEqual(totals.whole)
      for (const { id } of sessions) {
        const calls = sessions.flatMap((session) => (isUnder(sessions, session.id, id) ? session.calls : []))
        expect(totals.subtree(id)).toEqual(sum(calls))
      }
      const [first, ...others] = rows.filter(({ parentID }) => parentID === "ses_0" || parentID === null)
      expect(sum([first ?? noUsage, ...others.map(({ id }) => totals.subtree(id))].map(plain))).toEqual(totals.whole)
      const shuffled = rows
        .map((value) => ({ value, key: order.next().value }))
        .sort((a, b) => a.key - b.key)
        .map(({ value }) => value)
      expect(treeUsage(shuffled).whole).toEqual(totals.whole)
    }),
    drawn(),
  )
})

const plain = ({ tokens, cost }: Usage): Usage => ({ tokens, cost })

test("sessions without parent count in the tree's total; unknown ones do not", () => {
  const lost = { id: "ses_2", parentID: "ses_gone", cost: 0.25, tokens: noUsage.tokens }
  const totals = treeUsage([{ id: "ses_1", parentID: null, cost: 0.5, tokens: noUsage.tokens }, lost])
  expect(totals.whole.cost).toBe(0.75)
  expect(totals.subtree("ses_2").cost).toBe(0.25)
  expect(totals.subtree("ses_3")).toEqual(noUsage)
})

test("an amount names tokens and dollars, without zeros", () => {
  expect(formatUsage(12_400, 0.084)).toBe("12.4K tokens · $0.08")
  expect(formatUsage(12_400, 0)).toBe("12.4K tokens")
  expect(formatUsage(1, 0)).toBe("1 token")
  expect(formatUsage(0, 0)).toBe("")
  expect([0, 0.00001, 0.0042, 0.01, 1234.5].map(formatCost)).toEqual([
    "$0",
    "<$0.0001",
    "$0.0042",
    "$0.01",
    "$1,234.50",
  ])
})

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 })
const dollars = new Intl.NumberFormat("en", { style: "currency", currency: "USD" })

test("token counts read as in the compact notation of English", () => {
  expect([0, 940, 999, 1_000, 12_449, 999_949, 999_950, 1_250_000].map(formatTokens)).toEqual([
    "0",
    "940",
    "999",
    "1K",
    "12.4K",
    "999.9K",
    "1M",
    "1.3M",
  ])
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_000_000_000 }), (tokens) => {
      expect(formatTokens(tokens)).toBe(compact.format(tokens))
    }),
  )
})

test("a cost from one cent up reads as an amount of dollars", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000_000_000 }), (cents) => {
      expect(formatCost(cents / 100)).toBe(dollars.format(cents / 100))
    }),
  )
})
