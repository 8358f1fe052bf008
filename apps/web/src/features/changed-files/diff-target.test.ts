import { expect, it } from "vitest"
import { moveInFiles, settlePlace } from "./diff-target.ts"

const places = [
  { group: "turn:1", path: "a.ts" },
  { group: "turn:1", path: "b.ts" },
  { group: "turn:2", path: "a.ts" },
]

const aimAt = (index: number) => ({ at: places[index] ?? null, further: 0 })

it("keys step through the files of all groups, up to the ends", () => {
  expect(moveInFiles(places, aimAt(1), 1)).toEqual(aimAt(2))
  expect(moveInFiles(places, aimAt(2), 1)).toEqual(aimAt(2))
  expect(moveInFiles(places, aimAt(0), -1)).toEqual(aimAt(0))
})

it("a file stays when its group is gone, else the first shows", () => {
  expect(settlePlace(places, { at: { group: "turn:9", path: "b.ts" }, further: 0 })).toEqual(places[1])
  expect(settlePlace(places, { at: { group: "turn:2", path: "z.ts" }, further: 0 })).toEqual(places[0])
  expect(settlePlace([], aimAt(0))).toBeNull()
})

it("key presses before the file list loaded are applied to it", () => {
  const aim = moveInFiles([], moveInFiles([], { at: null, further: 0 }, 1), 1)
  expect(settlePlace([], aim)).toBeNull()
  expect(settlePlace(places, aim)).toEqual(places[2])
  expect(moveInFiles(places, aim, -1)).toEqual(aimAt(1))
})
