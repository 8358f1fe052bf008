import { expect, it } from "vitest"
import { anyWorks, treeClock } from "./tree-clock.ts"

it("the clock runs only while a session of the tree works", () => {
  expect(treeClock({ worked: 500, since: 2_000 }, true)).toEqual({ start: 1_500, end: null })
  expect(treeClock({ worked: 500, since: 2_000 }, false)).toEqual({ start: 0, end: 500 })
  expect(treeClock({ worked: 500, since: null }, true)).toEqual({ start: 0, end: 500 })
})

it("a working child counts as work of the tree", () => {
  expect(anyWorks({ root: { status: { type: "idle" } }, child: { status: { type: "busy" } } })).toBe(true)
  expect(anyWorks({ root: { status: { type: "idle" } } })).toBe(false)
})
