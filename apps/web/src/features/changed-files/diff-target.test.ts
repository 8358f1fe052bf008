import { expect, it } from "vitest"
import { moveInFiles, settlePlace } from "./diff-target.ts"

const places = [
  { group: "turn:1", path: "a.ts" },
  { group: "turn:1", path: "b.ts" },
  { group: "turn:2", path: "a.ts" },
]

it("goes from file to file through all groups and stays at the ends", () => {
  expect(moveInFiles(places, places[1] ?? null, 1)).toEqual(places[2])
  expect(moveInFiles(places, places[2] ?? null, 1)).toEqual(places[2])
  expect(moveInFiles(places, places[0] ?? null, -1)).toEqual(places[0])
  expect(moveInFiles([], null, 1)).toBeNull()
})

it("keeps the file when its group is gone, and shows the first when the file is", () => {
  expect(settlePlace(places, { group: "turn:9", path: "b.ts" })).toEqual(places[1])
  expect(settlePlace(places, { group: "turn:2", path: "z.ts" })).toEqual(places[0])
  expect(settlePlace([], null)).toBeNull()
})
