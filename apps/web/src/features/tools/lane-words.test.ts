import { expect, it } from "vitest"
import { laneWords } from "./lane-words.ts"

it("says what held a task up, requests that overlap once, and nothing for one that only worked", () => {
  expect(
    laneWords(
      [
        { kind: "queued", from: 0, until: 12_000 },
        { kind: "work", from: 12_000, until: null },
        { kind: "wait", from: 20_000, until: 30_000 },
        { kind: "wait", from: 25_000, until: null },
        { kind: "error", from: 15_000, until: 15_000 },
      ],
      40_000,
    ),
  ).toEqual(["12 s in the queue", "waited 20 s for an answer", "1 call failed"])
  expect(
    laneWords(
      [
        { kind: "queued", from: 0, until: 200 },
        { kind: "work", from: 200, until: 900 },
      ],
      900,
    ),
  ).toEqual([])
})
