import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { step } from "./progress.mjs"

const lines = []
beforeEach(() => {
  lines.length = 0
  vi.useFakeTimers()
  vi.spyOn(process.stderr, "write").mockImplementation((line) => lines.push(line))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

test("a long step prints its work, then its time every ten seconds", async () => {
  const { promise, resolve } = Promise.withResolvers()
  const done = step("web app", (announce) => {
    announce("building")
    return promise
  })
  await vi.advanceTimersByTimeAsync(25_000)
  expect(lines).toEqual(["… web app   building\n", "… web app   10 s so far\n", "… web app   20 s so far\n"])
  resolve("built")
  await done
  expect(lines.at(-1)).toBe("✓ web app   built (25.0 s)\n")
  await vi.advanceTimersByTimeAsync(60_000)
  expect(lines).toHaveLength(4)
})

test("a step that fails or announces nothing leaves no timer", async () => {
  await expect(
    step("web app", async (announce) => {
      announce("building")
      throw new Error("no room")
    }),
  ).rejects.toThrow("no room")
  await step("database", async () => "client is current", { quiet: true })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(lines).toEqual(["… web app   building\n"])
})
