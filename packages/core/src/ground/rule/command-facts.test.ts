import { expect, it } from "vitest"
import { factsOf } from "./command-facts.ts"

const nothing = { runs: [], writes: [], reads: [], outside: [], more: false }

it("facts list what a command runs, writes and names beyond its text", () => {
  expect(factsOf({ ...nothing, runs: ["git push"] }, "git push\n")).toEqual([])
  expect(factsOf({ ...nothing, runs: ["sort in", "git push"], writes: ["out"], reads: ["in"] }, "x")).toEqual([
    { label: "Runs", kind: "names", items: ["sort in", "git push"], rest: 0 },
    { label: "Writes", kind: "names", items: ["out"], rest: 0 },
    { label: "Names", kind: "names", items: ["in"], rest: 0 },
  ])
  const changes = { removes: ["a"], notes: ["git push: sends commits"], unknown: ["make"], reads: ["a"] }
  expect(factsOf({ ...nothing, ...changes }, "x")).toEqual([
    { label: "Removes", kind: "names", items: ["a"], rest: 0 },
    { label: "Also", kind: "words", items: ["git push: sends commits"], rest: 0 },
    { label: "Unclear", kind: "unknown", items: ["make"], rest: 0 },
  ])
})

it("items over the limit are counted, not shown", () => {
  const reads = Array.from({ length: 40 }, (_, index) => `file ${index}`)
  expect(factsOf({ ...nothing, reads }, "x")).toMatchObject([{ label: "Names", rest: 28 }])
})
