import { getEventListeners } from "node:events"
import { expect, it } from "vitest"
import { orAborted } from "./or-aborted.ts"
import { pause } from "./pause.ts"

it("finished work gives its result and leaves no listener on the signal", async () => {
  const { signal } = new AbortController()
  expect(await orAborted(Promise.resolve(7), signal)).toBe(7)
  await expect(orAborted(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken")
  await pause(0, signal)
  expect(getEventListeners(signal, "abort")).toEqual([])
})

it("an abort rejects with its reason, whatever the work returns later", async () => {
  const stop = new AbortController()
  const work = Promise.withResolvers<void>()
  const waiting = orAborted(work.promise, stop.signal)
  const reason = new Error("stopped")
  stop.abort(reason)
  await expect(waiting).rejects.toBe(reason)
  work.reject(new Error("heard by nobody"))
  await expect(orAborted(Promise.reject(new Error("nor this")), stop.signal)).rejects.toBe(reason)
  // Ends at once, because the signal has aborted.
  await pause(60_000, stop.signal)
})
