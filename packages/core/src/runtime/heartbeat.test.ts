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
  const [releaseOne, releaseOther] = [first.hold(), first.hold()]
  now = 6_000
  ticking.beat?.()
  expect(open().last).toBe(6_000)
  releaseOne()
  expect(ticking.beat).not.toBeNull()
  releaseOther()
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
  /** Work that begins and ends at once writes the heartbeat once. */
  const work = () => hold()()
  work()
  await rm(file)
  // This write finds no file and is lost; the next one makes the file again.
  work()
  now = 2_000
  work()
  now = 3_000
  work()
  expect(createHeartbeat({ file, clock: () => now, timers }).last).toBe(3_000)
})
