import { expect, it } from "vitest"
import { createFileLocks } from "./file-locks.ts"

it("work on one file runs in order, on different files in parallel", async () => {
  const withLock = createFileLocks()
  const { signal } = new AbortController()
  const gate = Promise.withResolvers<void>()
  const order: string[] = []
  const first = withLock("a", signal, async () => {
    await gate.promise
    order.push("first")
    throw new Error("failed")
  })
  const second = withLock("a", signal, async () => order.push("second"))
  await withLock("b", signal, async () => order.push("other"))
  gate.resolve()
  await expect(first).rejects.toThrow("failed")
  await second
  expect(order).toEqual(["other", "first", "second"])
})

it("an aborted waiter leaves without running, and the next one runs", async () => {
  const withLock = createFileLocks()
  const { signal } = new AbortController()
  const abort = new AbortController()
  const gate = Promise.withResolvers<void>()
  const order: string[] = []
  const first = withLock("a", signal, () => gate.promise)
  const waiter = withLock("a", abort.signal, async () => order.push("waiter"))
  const last = withLock("a", signal, async () => order.push("last"))
  abort.abort()
  gate.resolve()
  await first
  await expect(waiter).rejects.toMatchObject({ name: "AbortError" })
  await last
  expect(order).toEqual(["last"])
})
