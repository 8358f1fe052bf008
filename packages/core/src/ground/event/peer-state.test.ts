import { expect, test } from "vitest"
import { createManualTime } from "../../test/manual-time.ts"
import { createPeerState } from "./peer-state.ts"
import type { PeerNews, Peers } from "./peers.ts"

/** Runtimes that hear each other at once. */
function network() {
  const time = createManualTime()
  const ears = new Map<string, Set<Parameters<Peers["listen"]>[0]>>()
  const cut = new Set<string>()
  const told: PeerNews[] = []
  const join = (name: string) => {
    const own = new Set<Parameters<Peers["listen"]>[0]>()
    ears.set(name, own)
    const peers: Peers = {
      tell(news) {
        told.push(news)
        if (cut.has(name)) return
        for (const [other, listeners] of ears)
          if (other !== name && !cut.has(other)) for (const listener of listeners) listener(structuredClone(news), name)
      },
      listen(listener) {
        own.add(listener)
        return () => void own.delete(listener)
      },
    }
    const changed: string[] = []
    const state = createPeerState<number>({ peers, timers: time.timers }, "count", (key) => void changed.push(key))
    return { state, changed, miss: () => own.forEach((listener) => void listener(null, "")) }
  }
  return { ...time, join, cut, told }
}

test("entries of others are known, to latecomers too", () => {
  const { join } = network()
  const [a, b] = [join("a"), join("b")]
  a.state.put("tree", 1)
  b.state.put("tree", 2)
  expect([a.state.others("tree"), b.state.others("tree")]).toEqual([[2], [1]])
  expect(join("c").state.others("tree").toSorted()).toEqual([1, 2])
  a.state.put("tree", null)
  expect(b.state.others("tree")).toEqual([])
  expect(b.changed).toEqual(["tree", "tree"])
})

test("a runtime that says nothing any more is forgotten", async () => {
  const { join, cut, pass } = network()
  const [a, b] = [join("a"), join("b")]
  a.state.put("tree", 1)
  await pass(60_000)
  expect(b.state.others("tree")).toEqual([1])
  expect(b.changed).toEqual(["tree"])
  cut.add("a")
  await pass(15_000)
  expect(b.state.others("tree")).toEqual([])
  expect(b.changed).toEqual(["tree", "tree"])
})

test("what was missed is said again", () => {
  const { join, cut } = network()
  const [a, b] = [join("a"), join("b")]
  a.state.put("old", 1)
  cut.add("b")
  a.state.put("old", null)
  a.state.put("new", 2)
  expect([b.state.others("old"), b.state.others("new")]).toEqual([[1], []])
  cut.delete("b")
  b.miss()
  expect([b.state.others("old"), b.state.others("new")]).toEqual([[], [2]])
})

test("a runtime that ends takes its entries back", () => {
  const { join, waiting } = network()
  const [a, b] = [join("a"), join("b")]
  a.state.put("tree", 1)
  a.state.close()
  expect(b.state.others("tree")).toEqual([])
  b.state.close()
  expect(waiting()).toBe(0)
})

test("one runtime alone has nobody else", () => {
  const state = createPeerState<number>({ peers: undefined }, "count")
  state.put("tree", 1)
  expect(state.others("tree")).toEqual([])
})
