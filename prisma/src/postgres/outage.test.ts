import { createManualTime } from "@docket/core/test/manual-time"
import { expect, test } from "vitest"
import { createOutage, waitLimitMs } from "./outage.ts"
import { DatabaseAwayError } from "./postgres-error.ts"

/** A server and a claim that a test can take away and restore. */
function createFault() {
  const time = createManualTime()
  const state = { isUp: true, ownsDatabase: true }
  const told: string[] = []
  const ask = async () => {
    if (!state.isUp) throw new DatabaseAwayError("store_unavailable", "no answer")
    return "answer"
  }
  const outage = createOutage({
    ownsDatabase: () => state.ownsDatabase,
    probe: ask,
    timers: time.timers,
    onAway: () => told.push("away"),
    onBack: () => told.push("back"),
    onGivenUp: () => told.push("given up"),
  })
  return { time, state, told, outage, ask }
}

const reads = { writes: false }
const writes = { writes: true }
/** The current state of a promise. */
const stateOf = (promise: Promise<unknown>) =>
  Promise.race([promise.catch((error: Error) => error.message), Promise.resolve().then(() => "waiting")])

test.each([reads, writes])("requests during an outage wait and are answered after it", async (how) => {
  const { time, state, told, outage, ask } = createFault()
  state.isUp = false
  const answer = outage.through(ask, how)
  await time.pass(waitLimitMs - 1_000)
  expect(await stateOf(answer)).toBe("waiting")
  expect(outage.reason()?.message).toBe("no answer")
  state.isUp = true
  await time.pass(1_000)
  expect(await answer).toBe("answer")
  expect([outage.reason(), told]).toEqual([null, ["away", "back"]])
  expect(time.waiting()).toBe(0)
})

test("a two-minute outage fails waiting requests, then new ones at once", async () => {
  const { time, state, told, outage, ask } = createFault()
  state.isUp = false
  const waiting = [outage.through(ask, reads), outage.through(ask, writes)].map((asked) => asked.catch((e) => e))
  await time.pass(waitLimitMs)
  for (const error of await Promise.all(waiting))
    expect(error).toMatchObject({ code: "store_unavailable", message: expect.stringContaining("for two minutes") })
  await expect(outage.through(ask, writes)).rejects.toThrow("for two minutes")
  expect(told).toEqual(["away", "given up"])
  state.isUp = true
  await time.pass(1_000)
  expect(await outage.through(ask, writes)).toBe("answer")
  expect(told).toEqual(["away", "given up", "back"])
})

test("without the claim nothing is written, and everything can be read", async () => {
  const { time, state, outage, ask } = createFault()
  state.ownsDatabase = false
  outage.lost()
  let tries = 0
  const written = outage.through(async () => {
    tries += 1
    return ask()
  }, writes)
  expect(await outage.through(ask, reads)).toBe("answer")
  await time.pass(5_000)
  expect([tries, await stateOf(written)]).toEqual([0, "waiting"])
  state.ownsDatabase = true
  outage.look()
  expect(await written).toBe("answer")
  expect(tries).toBe(1)
})

test("waiting requests fail with the reason when another service claims the database", async () => {
  const { state, outage, ask } = createFault()
  state.ownsDatabase = false
  outage.lost()
  const written = outage.through(ask, writes)
  const refused = expect(written).rejects.toThrow("taken")
  outage.end(new DatabaseAwayError("store_unavailable", "taken"))
  await refused
  await expect(outage.ready()).rejects.toThrow("taken")
})

test("after stopping, requests do not wait but write while connected", async () => {
  const { state, outage, ask } = createFault()
  outage.end(new DatabaseAwayError("store_unavailable", "stopping"))
  expect(await outage.through(ask, writes)).toBe("answer")
  state.isUp = false
  await expect(outage.through(ask, writes)).rejects.toThrow("no answer")
})

test("a request that always fails is not repeated forever", async () => {
  const { outage } = createFault()
  let tries = 0
  const failing = outage.through(async () => {
    tries += 1
    throw new DatabaseAwayError("store_unavailable", "odd")
  }, reads)
  await expect(failing).rejects.toThrow("odd")
  expect(tries).toBe(20)
})
