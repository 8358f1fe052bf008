import { expect, it } from "vitest"
import { firstOffset } from "./first-offset.ts"
import type { Row } from "./rows/row.ts"

// The code reads only the key and the part of a row.
const part = (id: string): Row => ({ kind: "part", key: id, part: { id, type: "text", text: id } }) as unknown as Row
const rows = Array.from({ length: 10 }, (_, index) => part(`prt_${index}`))
const heights = { heightOf: () => 100, padding: 24, screen: 400 }

it("a transcript begins at the end, at the part or reader's place", () => {
  expect(firstOffset(rows, { at: "end" }, heights)).toBe(1_048 - 400)
  expect(firstOffset(rows, { at: "part", part: "prt_6" }, heights)).toBe(624 - 200)
  const row = { key: "prt_3", source: "prt_3", above: -10 }
  expect(firstOffset(rows, { at: "place", place: { following: false, row, open: [] } }, heights)).toBe(314)
  expect(firstOffset(rows, { at: "place", place: { following: true, row, open: [] } }, heights)).toBe(648)
})

it("a transcript begins at the end when its part is not loaded", () => {
  expect(firstOffset(rows, { at: "part", part: "prt_gone" }, heights)).toBe(648)
  expect(firstOffset(rows.slice(0, 2), { at: "end" }, heights)).toBe(0)
})
