import { expect, test } from "vitest"
import { drawMore } from "./draw-rows.ts"

const keys = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `row_${from + index}`)

test("rows are drawn a few at a time, until all are", () => {
  const wanted = keys(0, 8)
  let drawn: ReadonlySet<string | number | bigint> = new Set()
  const sizes: number[] = []
  while (drawn.size < wanted.length) {
    drawn = drawMore(drawn, wanted)
    sizes.push(drawn.size)
  }
  expect(sizes).toEqual([3, 6, 8])
  expect([...drawn]).toEqual(wanted)
})

test("drawn rows stay when others come, unless no longer wanted", () => {
  const drawn = drawMore(drawMore(new Set(), keys(0, 6)), keys(0, 6))
  expect([...drawMore(drawn, keys(2, 8))].toSorted()).toEqual(keys(2, 8))
  expect([...drawMore(drawn, keys(20, 26))]).toEqual(keys(20, 23))
})
