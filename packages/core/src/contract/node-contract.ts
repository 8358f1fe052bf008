import { expect, it } from "vitest"
import type { NodeFacts } from "../ground/schema/index.ts"
import type { TenantDatabase } from "../ground/store/port/index.ts"
import { newId } from "./rows.ts"

const facts = (fields: Partial<NodeFacts> = {}): NodeFacts => ({
  id: newId("node"),
  hostID: newId("host"),
  role: "worker",
  version: "1.2.3",
  pid: 7,
  places: ["any", "storage:team"],
  ...fields,
})

/** The database may hold other nodes, so the tests look at their own. */
export function nodeContract(open: () => Promise<TenantDatabase["nodes"]>): void {
  it("shows a node from its first beat on, with the time", async () => {
    const nodes = await open()
    const node = facts()
    const { now: before } = await nodes.list()
    const beaten = await nodes.beat(node)
    const { now, nodes: all } = await nodes.list()
    expect(beaten).toEqual({
      ...node,
      draining: false,
      time: { started: expect.any(Number), seen: beaten.time.started },
    })
    expect(all.find(({ id }) => id === node.id)).toEqual(beaten)
    expect(beaten.time.seen).toBeGreaterThanOrEqual(before)
    expect(now).toBeGreaterThanOrEqual(beaten.time.seen)
  })

  it("a later beat changes what a node says and its time", async () => {
    const nodes = await open()
    const node = facts()
    const first = await nodes.beat(node)
    const changed = { ...node, version: "1.2.4\0", places: [] }
    let later = await nodes.beat(changed)
    while (later.time.seen === first.time.seen) later = await nodes.beat(changed)
    expect(later).toEqual({ ...changed, draining: false, time: { started: first.time.started, seen: later.time.seen } })
    expect(later.time.seen).toBeGreaterThan(first.time.seen)
    expect((await nodes.list()).nodes.filter(({ id }) => id === node.id)).toEqual([later])
  })

  it("lists the node that started last first", async () => {
    const nodes = await open()
    const older = await nodes.beat(facts())
    let newer = await nodes.beat(facts())
    while (newer.time.started === older.time.started) newer = await nodes.beat(facts())
    await nodes.beat(older)
    const own = [older.id, newer.id]
    const listed = (await nodes.list()).nodes.map(({ id }) => id).filter((id) => own.includes(id))
    expect(listed).toEqual([newer.id, older.id])
  })

  it("a node that is to drain learns it at its next beat", async () => {
    const nodes = await open()
    const node = facts()
    await nodes.beat(node)
    for (const on of [true, false]) {
      expect(await nodes.setDraining(node.id, on)).toBe(true)
      expect(await nodes.beat(node)).toMatchObject({ draining: on })
    }
    expect(await nodes.setDraining(newId("node"), true)).toBe(false)
  })

  it("forgets nodes that left, and those not seen for long", async () => {
    const nodes = await open()
    const [left, silent, kept] = [facts(), facts(), facts()]
    await nodes.beat(left)
    const last = await nodes.beat(silent)
    let seen = await nodes.beat(kept)
    while (seen.time.seen === last.time.seen) seen = await nodes.beat(kept)
    await nodes.leave(left.id)
    await nodes.leave(newId("node"))
    const own = async () => {
      const { nodes: all } = await nodes.list()
      return [left, silent, kept].map(({ id }) => all.some((node) => node.id === id))
    }
    expect(await own()).toEqual([false, true, true])
    expect(await nodes.forgetBefore(seen.time.seen)).toBeGreaterThan(0)
    expect(await own()).toEqual([false, false, true])
    expect(await nodes.forgetBefore(last.time.seen)).toBe(0)
  })

  it("shows hosts by id, under their last label", async () => {
    const nodes = await open()
    const [a, b] = [newId("host"), newId("host")].sort()
    if (a === undefined || b === undefined) throw new Error("two ids were made")
    for (const [id, label] of [
      [b, "rack"],
      [a, ""],
      [b, "rack 2 \ud800"],
    ] as const)
      await nodes.putHost({ id, label })
    const own = (await nodes.hosts()).filter(({ id }) => id === a || id === b)
    const time = { seen: expect.any(Number) }
    expect(own).toEqual([
      { id: a, label: "", time },
      { id: b, label: "rack 2 \ud800", time },
    ])
    expect((await nodes.list()).now).toBeGreaterThanOrEqual(own[1]?.time.seen ?? Number.NaN)
  })
}
