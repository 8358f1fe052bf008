import { describe, expect, onTestFinished, test } from "vitest"
import type { ScheduleRun } from "../ground/schema/index.ts"
import { localCaller } from "../test/as-local.ts"
import { echo } from "../test/held-model.ts"
import { type SeveralNodes, severalNodes } from "../test/several-nodes.ts"
import type { OpenStores } from "./nodes-contract.ts"

const minute = 60_000

/** Declares tests of what two workers and a web node do once for all. */
export function onceContract(name: string, openStores: OpenStores): void {
  const start = async () => {
    /** The time by the clock of the database. */
    const time = { now: Date.now() }
    const nodes = await severalNodes(await openStores(3), [echo, echo], { clock: () => time.now })
    onTestFinished(() => nodes[Symbol.asyncDispose]())
    const [first, second] = nodes.workers
    if (first === undefined || second === undefined) throw new Error("there are two workers")
    const { projectID } = nodes.web.session
    const uses = nodes.web.runtime.as(localCaller)
    const runs = async () => (await uses.schedule.runs({})).map(({ dueAt, status }) => [dueAt - time.now, status])
    /** The texts with which sessions were prompted, but those of the test's own session. */
    const prompted = async () => {
      const { items } = await nodes.web.store.session.listRoots({ archived: false, limit: 100 })
      return items.filter(({ session }) => session.id !== nodes.web.session.id).map(({ session }) => session.title)
    }
    const ended = async (count: number) => {
      const isEnded = ({ status }: ScheduleRun) => status !== "running"
      await expect
        .poll(async () => (await uses.schedule.runs({})).filter(isEnded), { timeout: 20_000 })
        .toHaveLength(count)
    }
    const create = (when: string, missed: "skip" | "once" | "all" = "once") =>
      uses.schedule.create({ projectID, when, message: "Check the deploy", missed })
    return { ...nodes, time, first, second, uses, create, runs, prompted, ended }
  }
  const noErrors = ({ web, workers }: SeveralNodes) =>
    expect([web, ...workers].flatMap(({ errors }) => errors)).toEqual([])

  describe(`once for all nodes: ${name}`, () => {
    test("a due schedule has one run, though two workers fire it", async () => {
      const nodes = await start()
      nodes.second.usurp()
      const all = await Promise.all([1, 2, 3].map((n) => nodes.create(`in ${n} minutes`)))
      nodes.time.now += 3 * minute
      await nodes.ended(3)
      expect(await nodes.runs()).toEqual([
        [expect.any(Number), "succeeded"],
        [expect.any(Number), "succeeded"],
        [expect.any(Number), "succeeded"],
      ])
      expect(await nodes.prompted()).toHaveLength(3)
      for (const { id } of all) {
        expect(await nodes.uses.schedule.get({ schedule: id })).toMatchObject({ status: "completed", runCount: 1 })
      }
      noErrors(nodes)
    })

    test("a schedule of the web node is due by the shared clock", async () => {
      const nodes = await start()
      await nodes.create("in 1 minute")
      const { nextFireAt } = await nodes.uses.schedule.get({ schedule: 1 })
      expect(nextFireAt).toBe(nodes.time.now + minute)
      nodes.time.now += minute
      await nodes.ended(1)
      expect(await nodes.runs()).toEqual([[0, "succeeded"]])
      noErrors(nodes)
    })

    /** Its writes: the run, the session, the turn, the run with its turn, and later those of the turn. */
    test.each([0, 1, 2, 3, 4, 8])("a worker that dies after %d writes is followed by the other", async (writes) => {
      const nodes = await start()
      await nodes.create("in 1 minute", "skip")
      const dead = nodes.first.killAfter(writes)
      nodes.time.now += minute
      await dead
      await nodes.ended(1)
      expect(await nodes.runs()).toEqual([[0, "succeeded"]])
      expect(await nodes.prompted()).toHaveLength(1)
      expect(await nodes.uses.schedule.get({ schedule: 1 })).toMatchObject({ status: "completed", runCount: 1 })
      expect([nodes.web, nodes.second].flatMap(({ errors }) => errors)).toEqual([])
    })

    test("what the web node changed or removed is heeded", async () => {
      const nodes = await start()
      const [paused, removed] = [await nodes.create("in 1 minute"), await nodes.create("in 1 minute")]
      await nodes.create("in 1 minute")
      await nodes.uses.schedule.setStatus({ schedule: paused.id, status: "paused" })
      await nodes.uses.schedule.remove({ schedule: removed.id })
      nodes.time.now += minute
      await nodes.ended(1)
      expect(await nodes.prompted()).toHaveLength(1)
      await nodes.uses.schedule.setStatus({ schedule: paused.id, status: "active" })
      await nodes.ended(2)
      expect(await nodes.prompted()).toHaveLength(2)
      noErrors(nodes)
    })

    test("a run by hand at the web node ends once", async () => {
      const nodes = await start()
      const { id } = await nodes.create("every 10 minutes")
      const run = await nodes.uses.schedule.runNow({ schedule: id })
      expect(run).toMatchObject({ status: "running", turnID: expect.any(String) })
      await nodes.ended(1)
      expect(await nodes.runs()).toEqual([[0, "succeeded"]])
      noErrors(nodes)
    })

    test("a request that is repeated at another node is done once", async () => {
      const nodes = await start()
      const { id } = await nodes.create("every 10 minutes")
      const [asked, again] = [nodes.web, nodes.second].map(({ runtime }) => runtime.as(localCaller, "key").schedule)
      const runs = await Promise.all([asked?.runNow({ schedule: id }), again?.runNow({ schedule: id })])
      expect(runs[0]).toEqual(runs[1])
      await nodes.ended(1)
      expect((await again?.runNow({ schedule: id }))?.id).toBe(runs[0]?.id)
      expect(await nodes.uses.schedule.get({ schedule: id })).toMatchObject({ runCount: 1 })
      noErrors(nodes)
    })

    test.each([
      ["skip", 0],
      ["once", 1],
      ["all", 3],
    ] as const)("what fell due without workers, missed: %s", async (missed, count) => {
      const nodes = await start()
      await nodes.create("every 10 minutes", missed)
      const resume = [nodes.first.rest(), nodes.second.rest()]
      nodes.time.now += 35 * minute
      for (const back of resume) back()
      await nodes.create("in 0 minutes")
      await nodes.ended(count + 1)
      expect(await nodes.prompted()).toHaveLength(count + 1)
      noErrors(nodes)
    })
  })
}
