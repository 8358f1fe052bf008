import { expect, test } from "vitest"
import { createManualTime } from "../../test/manual-time.ts"
import { createLeases } from "./leases.ts"

test("leases are renewed early, together, and only while they are held", async () => {
  const { waiting, pass, ...time } = createManualTime()
  const leases = createLeases({ ...time, shared: { runner: "one", leaseMs: 900 } })
  const renewed: number[] = []
  const release = leases.hold(({ until }) => renewed.push(until - time.clock()))
  await pass(900)
  expect(renewed).toEqual([900, 900, 900])
  release()
  expect(waiting()).toBe(0)
})

test("the only runtime of a store renews no leases", async () => {
  const { waiting, pass, ...time } = createManualTime()
  const leases = createLeases({ ...time })
  leases.hold(() => expect.unreachable())
  await pass(3_600_000)
  expect(waiting()).toBe(0)
})
