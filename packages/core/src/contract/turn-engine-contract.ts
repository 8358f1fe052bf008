import { expect, onTestFinished, test } from "vitest"
import type { GivenTree, QueuedTree, ServeOptions, TurnEngine } from "../engine/turn/turn-engine.ts"

/** Opens the engines of several nodes on one empty queue. */
export type OpenEngines = (count: number) => Promise<TurnEngine[]>

const tree = (rootID: string, place = "host:one"): QueuedTree => ({ tenantID: "local", rootID, place })

interface Visit {
  given: GivenTree
  node: number
  end(error?: Error): void
}

/** Work that ends when the test says so, or when the tree is lost. */
function heldWork() {
  const visits: Visit[] = []
  const waiting: ((visit: Visit) => void)[] = []
  const onNode =
    (node: number): ServeOptions["work"] =>
    (given) => {
      const done = Promise.withResolvers<void>()
      const visit = { given, node, end: (error?: Error) => (error ? done.reject(error) : done.resolve()) }
      given.signal.addEventListener("abort", () => done.reject(given.signal.reason))
      const next = waiting.shift()
      if (next) next(visit)
      else visits.push(visit)
      return done.promise
    }
  return {
    onNode,
    /** The next tree that a node works on. */
    async next(): Promise<Visit> {
      return visits.shift() ?? (await new Promise<Visit>((resolve) => waiting.push(resolve)))
    },
    /** Those that nobody has taken by `next`. */
    untaken: () => visits.map(({ given }) => given.rootID),
  }
}

/** Declares tests of an engine of turns. */
export function turnEngineContract(open: OpenEngines): void {
  const start = async (count: number, given: Partial<Omit<ServeOptions, "work">> = {}) => {
    const engines = await open(count)
    onTestFinished(async () => {
      for (const engine of engines) await engine.close()
    })
    const work = heldWork()
    const serve = (node: number) => {
      const engine = engines[node]
      if (engine === undefined) throw new Error(`there is no node ${node}`)
      return engine.serve({ places: ["host:one"], capacity: 10, ...given, work: work.onNode(node) })
    }
    const [one] = engines
    if (one === undefined) throw new Error("there is no node")
    return { engines, one, work, serve }
  }

  test("works on a tree once for each time it was queued", async () => {
    const { one, work, serve } = await start(1)
    await serve(0)
    await one.enqueue([tree("a"), tree("a"), tree("b")])
    const begun = [await work.next(), await work.next()]
    expect(begun.map(({ given }) => given.rootID).sort()).toEqual(["a", "b"])
    expect(begun.map(({ given }) => given.wasHeld)).toEqual([false, false])
    expect(work.untaken()).toEqual([])
    for (const visit of begun) visit.end()
    const last = await work.next()
    expect([last.given.rootID, last.given.tenantID, last.given.place]).toEqual(["a", "local", "host:one"])
    last.end()
  })

  test("gives a tree to one node at a time", async () => {
    const { one, work, serve } = await start(2)
    await serve(0)
    await serve(1)
    for (let round = 0; round < 6; round++) await one.enqueue([tree("a")])
    for (let round = 0; round < 6; round++) {
      const visit = await work.next()
      expect(work.untaken()).toEqual([])
      visit.end()
    }
  })

  test("gives a tree again after work that failed", async () => {
    const { one, work, serve } = await start(1)
    await serve(0)
    await one.enqueue([tree("a")])
    const first = await work.next()
    first.end(new Error("the disk is full"))
    const second = await work.next()
    expect([second.given.rootID, second.given.wasHeld]).toEqual(["a", true])
    second.end()
  })

  test("takes no more trees than the node has room for", async () => {
    const { one, work, serve } = await start(1, { capacity: 2 })
    await serve(0)
    await one.enqueue(["a", "b", "c"].map((id) => tree(id)))
    const two = [await work.next(), await work.next()]
    expect(work.untaken()).toEqual([])
    two[0]?.end()
    const third = await work.next()
    expect(third.given.rootID).toBe("c")
    for (const visit of [...two, third]) visit.end()
  })

  test("leaves trees of other places to their nodes", async () => {
    const { one, engines, work, serve } = await start(2)
    await serve(0)
    await one.enqueue([tree("far", "host:two"), tree("near")])
    const near = await work.next()
    expect(near.given.rootID).toBe("near")
    near.end()
    expect(work.untaken()).toEqual([])
    await engines[1]?.serve({ places: ["host:two"], capacity: 1, work: work.onNode(1) })
    const far = await work.next()
    expect([far.given.rootID, far.node]).toEqual(["far", 1])
    far.end()
  })

  test("a paused node finishes what it has, and takes no more", async () => {
    const { one, engines, work, serve } = await start(2)
    await serve(0)
    await one.enqueue([tree("a")])
    const first = await work.next()
    one.pause()
    await engines[1]?.enqueue([tree("b")])
    expect(first.given.signal.aborted).toBe(false)
    first.end()
    await serve(1)
    const second = await work.next()
    expect([second.given.rootID, second.node]).toEqual(["b", 1])
    second.end()
  })

  test("a node that was paused takes trees again", async () => {
    const { one, work, serve } = await start(1)
    await serve(0)
    one.pause()
    await one.enqueue([tree("a")])
    expect(work.untaken()).toEqual([])
    one.resume()
    const visit = await work.next()
    expect(visit.given.rootID).toBe("a")
    visit.end()
  })

  test("another node goes on with what a node gives back", async () => {
    const { one, work, serve } = await start(2)
    await serve(0)
    await one.enqueue([tree("a")])
    const first = await work.next()
    await one.giveBack()
    expect(first.given.signal.aborted).toBe(true)
    await serve(1)
    const second = await work.next()
    expect([second.given.rootID, second.given.wasHeld, second.node]).toEqual(["a", true, 1])
    second.end()
  })
}
