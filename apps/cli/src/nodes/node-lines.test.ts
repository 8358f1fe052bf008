import { expect, it } from "vitest"
import { nodeLines } from "./node-lines.ts"

it("nodes come with what waits where no worker takes sessions", () => {
  const queue = { place: "any", name: "any host", waiting: 2, isServed: true }
  const [, ...lines] = nodeLines({
    now: 10_000,
    nodes: [],
    queues: [queue, { ...queue, isServed: false }, { place: "", name: "attic\u001b", waiting: 1, isServed: false }],
  })
  expect(lines).toEqual([
    "2 sessions wait for any host: no worker there takes sessions",
    "1 session waits for attic : no worker there takes sessions",
  ])
})
