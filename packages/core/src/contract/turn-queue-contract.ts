import { expect, test } from "vitest"
import { StoppedByUser } from "../engine/loop/stop-reason.ts"
import { everyTree } from "../engine/turn/held-trees.ts"
import { createLeases } from "../engine/turn/leases.ts"
import { createSessionQueues } from "../engine/turn/session-queues.ts"
import { createTurnQueue, type TurnQueue } from "../engine/turn/turn-queue.ts"
import { createBus } from "../ground/event/bus.ts"
import { createFinalWrites } from "../ground/event/final-writes.ts"
import { createJournal } from "../ground/event/journal.ts"
import type { Turn } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/port/index.ts"
import { putSessions, root, turn } from "./rows.ts"

const leaseMs = 1_000

/** The queue of one runtime, without running any turns. `now` is its clock. */
function queueOf(store: Store, runner: string, now: { ms: number }): TurnQueue {
  const clock = () => now.ms
  const bus = createBus(console.error)
  const shared = { runner, leaseMs }
  return createTurnQueue({
    store,
    journal: createJournal({ store, bus }),
    finalWrites: createFinalWrites({ bus, onError: console.error }),
    leases: createLeases({ clock, shared }),
    sessionQueues: createSessionQueues({ onError: console.error }),
    heldTrees: everyTree,
    isShared: true,
    clock,
  })
}

async function claimed(queue: TurnQueue, queued: Turn): Promise<Turn> {
  const claim = await queue.claim(queued, new Set())
  if (claim === null || claim === "wait") throw new Error("it could not be claimed")
  return claim
}

/** Declares tests of the queues of two runtimes on one store, using only rows. */
export function turnQueueContract(openShared: () => Promise<{ one: Store; other: Store }>): void {
  const start = async () => {
    const { one, other } = await openShared()
    const now = { ms: 10_000 }
    const session = await putSessions(one, root())
    return { one: queueOf(one, "one", now), other: queueOf(other, "other", now), now, session }
  }

  test("both runtimes see a turn wait, run and end; the next waits", async () => {
    const { one, other, session } = await start()
    const [first, second] = [turn(session), turn(session)]
    await one.enqueue(first)
    await one.enqueue(second)
    expect((await other.open(session.id)).alive.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort())
    expect(await other.isRunning(session.id)).toBe(false)
    const [earlier, later] = first.id < second.id ? [first, second] : [second, first]
    const running = await claimed(other, earlier)
    expect([await one.isRunning(session.id), await other.isRunning(session.id)]).toEqual([true, true])
    expect([one.isHere(running), other.isHere(running)]).toEqual([false, true])
    expect(await one.claim(later, new Set())).toBe("wait")
    await other.release({ ...running, status: "completed" }, [])
    expect(await one.isRunning(session.id)).toBe(false)
    expect(await one.claim(earlier, new Set())).toBeNull()
    await claimed(one, later)
    expect(await other.isRunning(session.id)).toBe(true)
  })

  test("either runtime withdraws a waiting turn once, unless already claimed", async () => {
    const { one, other, session } = await start()
    const [waiting, taken] = [turn(session), turn(session)].sort((a, b) => (a.id < b.id ? 1 : -1))
    if (!waiting || !taken) throw new Error("two turns")
    await one.enqueue(taken)
    await one.enqueue(waiting)
    expect(await other.withdraw(waiting)).toBe(true)
    expect(await one.claim(waiting, new Set())).toBeNull()
    const running = await claimed(one, taken)
    expect(await other.withdraw(taken)).toBe(false)
    expect((await other.open(session.id)).alive).toEqual([running])
  })

  test("a turn with an expired lease is dead and can change owner", async () => {
    const { one, other, now, session } = await start()
    const queued = turn(session)
    await one.enqueue(queued)
    const running = await claimed(one, queued)
    now.ms += leaseMs
    expect(await other.isRunning(session.id)).toBe(false)
    expect(await other.open(session.id)).toEqual({ alive: [], dead: [running] })
    // Like a runtime that recovers the rows of another one.
    await other.release({ ...running, status: "queued" }, [])
    await claimed(other, { ...running, status: "queued" })
    await expect(one.release({ ...running, status: "completed" }, [])).rejects.toMatchObject({ code: "stale_turn" })
    expect(await one.isRunning(session.id)).toBe(true)
  })

  test("stopping a remote turn returns when the turn or its owner ends", async () => {
    const { one, other, now, session } = await start()
    const queued = turn(session)
    await one.enqueue(queued)
    const running = await claimed(one, queued)
    const cancelled = other.cancel([running], { reason: new StoppedByUser() })
    await one.release({ ...running, status: "aborted" }, [])
    await cancelled
    const next = turn(session)
    await one.enqueue(next)
    const lost = await claimed(one, next)
    now.ms += leaseMs
    await other.cancel([lost], { reason: new StoppedByUser() })
    expect(await other.isRunning(session.id)).toBe(false)
  })
}
