import { expect, it } from "vitest"
import { nodeLines } from "./node-lines.ts"

it("nodes come with what waits where no worker takes sessions", () => {
  const any = { kind: "any", name: null, why: "gone" } as const
  const attic = { kind: "host", name: "attic\u001b", why: "draining" } as const
  const queue = { place: "any", name: "any host", waiting: 2, isServed: true, awaited: null }
  const away = { ...queue, isServed: false }
  const [, ...lines] = nodeLines({
    now: 10_000,
    nodes: [],
    queues: [
      queue,
      { ...away, awaited: any },
      { ...away, waiting: 1, awaited: attic },
      { ...away, name: "one process" },
    ],
  })
  expect(lines).toEqual([
    "2 sessions wait for a worker: none is there. Start one: docket serve --role worker",
    "1 session waits for host attic\\u{1b}, which takes no more work at present. Let it take work again, in Settings under Nodes.",
    "2 sessions wait for one process: no worker there takes sessions. docket to-nodes gives them to a host.",
  ])
})
