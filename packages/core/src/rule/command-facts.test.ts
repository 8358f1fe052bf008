import { expect, it } from "vitest"
import { factsOf } from "./command-facts.ts"

const nothing = { runs: [], writes: [], reads: [], outside: [], more: false }

it("says what a command runs, writes and names, and nothing that its text says by itself", () => {
  expect(factsOf({ ...nothing, runs: ["git push"] }, "git push\n")).toEqual([])
  expect(factsOf({ ...nothing, runs: ["sort in", "git push"], writes: ["out"], reads: ["in"] }, "x")).toEqual([
    { label: "Runs", items: ["sort in", "git push"], rest: 0 },
    { label: "Writes", items: ["out"], rest: 0 },
    { label: "Names", items: ["in"], rest: 0 },
  ])
})

it("counts what is too much to show", () => {
  const reads = Array.from({ length: 40 }, (_, index) => `file ${index}`)
  expect(factsOf({ ...nothing, reads }, "x")).toMatchObject([{ label: "Names", rest: 28 }])
})
