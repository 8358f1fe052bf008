import { expect, test } from "vitest"
import type { Row } from "./rows/row.ts"
import { countAfter, newestKey } from "./unseen.ts"

const divider = (key: string): Row => ({ kind: "compaction", key })
const waiting: Row = { kind: "waiting", key: "w", agent: "build", since: 0 }

test("new rows are counted without the one that only waits", () => {
  const seen = newestKey([divider("a"), divider("b"), waiting])
  expect(seen).toBe("b")
  expect(countAfter([divider("a"), divider("b"), divider("c"), divider("d"), waiting], seen)).toBe(2)
})

test("no row counts as new when the last seen row is gone", () => {
  expect(countAfter([divider("a")], "z")).toBe(0)
  expect(newestKey([])).toBeNull()
})
