import { once } from "node:events"
import { expect, onTestFinished, test } from "vitest"
import { type Claim, createClaims } from "./claims.ts"

/** `as`: only these fields of a job are read. */
const job = (id: string) => ({ id, retryCount: 0, data: { tenantID: "local", rootID: id } }) as Claim["job"]

/** A database that answers only while `isThere`, and the time in ms. */
function start() {
  const state = { isThere: true, now: 1_000 }
  const errors: unknown[] = []
  const claims = createClaims({
    boss: {
      touch: async (_queue, jobs) =>
        state.isThere ? { affected: [jobs].flat().length } : Promise.reject(new Error("the link is down")),
      findJobs: async () => [],
    },
    now: () => state.now,
    onError: (error) => void errors.push(error),
  })
  claims.start()
  onTestFinished(claims.stop)
  return { state, claims, errors }
}

test("without a confirmation for 7 seconds, the work of a node stops", async () => {
  const { state, claims } = start()
  const { lost } = claims.add(job("a"), "turn/host/one")
  state.isThere = false
  state.now += 6_900
  const aborted = once(lost.signal, "abort")
  expect(lost.signal.aborted).toBe(false)
  state.now += 100
  await aborted
  expect(String(lost.signal.reason)).toContain("Another node may have this work")
})

test("a node without work may be silent for long", async () => {
  const { state, claims } = start()
  state.now += 60_000
  const { lost } = claims.add(job("a"), "turn/host/one")
  state.now += 6_900
  expect(lost.signal.aborted).toBe(false)
})
