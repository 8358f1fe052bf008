import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { createHeartbeat } from "./heartbeat.ts"

test("the heartbeat tells the next process the last time of work", async () => {
  const directory = await mkdtemp(join(tmpdir(), "docket-sign-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  let now = 1_000
  const ticking: { beat: (() => void) | null } = { beat: null }
  const timers = {
    after: () => () => {},
    every(_: number, run: () => void) {
      ticking.beat = run
      return () => {
        ticking.beat = null
      }
    },
  }
  const open = () => createHeartbeat({ file: join(directory, "last-sign"), clock: () => now, timers })
  const first = open()
  expect(first.last).toBeNull()
  const [one, other] = [first.hold(), first.hold()]
  now = 6_000
  ticking.beat?.()
  expect(open().last).toBe(6_000)
  one()
  expect(ticking.beat).not.toBeNull()
  other()
  expect(ticking.beat).toBeNull()
  now = 90_000
  expect(open().last).toBe(6_000)
})

test("the heartbeat is written again after its file was removed", async () => {
  const directory = await mkdtemp(join(tmpdir(), "docket-sign-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const file = join(directory, "last-sign")
  let now = 1_000
  const timers = { after: () => () => {}, every: () => () => {} }
  const { hold } = createHeartbeat({ file, clock: () => now, timers })
  hold()()
  await rm(file)
  hold()()
  now = 2_000
  hold()()
  now = 3_000
  hold()()
  expect(createHeartbeat({ file, clock: () => now, timers }).last).toBe(3_000)
})
