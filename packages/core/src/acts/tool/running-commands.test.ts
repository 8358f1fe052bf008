import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { CALL_MARKER, callMarker } from "./process-group.ts"
import { createRunningCommands } from "./running-commands.ts"

test.runIf(process.platform === "linux")("a command that outlived a crash is ended at the next start", async () => {
  const directory = await mkdtemp(join(tmpdir(), "docket-running-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const marker = crypto.randomUUID()
  const child = spawn("sleep", ["60"], {
    detached: true,
    stdio: "ignore",
    env: { PATH: process.env.PATH, [CALL_MARKER]: marker },
  })
  await once(child, "spawn")
  const ended = once(child, "exit")
  createRunningCommands(directory).onSpawn({ pid: child.pid ?? 0, startedAt: Date.now(), marker, isHeld: true })
  await writeFile(join(directory, "half.json"), '{"pid": 1')

  await createRunningCommands(directory).reap()
  await ended
  expect(child.signalCode).not.toBeNull()
  expect(await readdir(directory)).toEqual([])
})

test("a command that ended leaves no record", async () => {
  const directory = await mkdtemp(join(tmpdir(), "docket-running-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const commands = createRunningCommands(join(directory, "new"))
  const command = { pid: 1, startedAt: 1, marker: "m", isHeld: true }
  commands.onSpawn(command)
  expect(await readdir(join(directory, "new"))).toEqual(["m.json"])
  commands.onExit(command)
  expect(await readdir(join(directory, "new"))).toEqual([])
})

test.runIf(process.platform === "linux")(
  "what commands left in the background ends with their session's work",
  async () => {
    const commands = createRunningCommands("/nowhere")
    const start = async (sessionID: string) => {
      const env = {
        PATH: process.env.PATH,
        NODE_ENV: "test",
        [CALL_MARKER]: callMarker(sessionID, crypto.randomUUID()),
      }
      const child = spawn("sleep", ["60"], { detached: true, stdio: "ignore", env: env as NodeJS.ProcessEnv })
      await once(child, "spawn")
      onTestFinished(() => void child.kill("SIGKILL"))
      return child
    }
    // Its commands are ended, which must not reach commands of tests that run at the same time.
    const own = `ses_${crypto.randomUUID()}`
    const [one, two, other] = await Promise.all([start(own), start(own), start(`${own}1`)])
    const ended = Promise.all([once(one, "exit"), once(two, "exit")])
    await commands.endBackground([`ses_${crypto.randomUUID()}`])
    expect([one, two, other].map((child) => child.signalCode)).toEqual([null, null, null])
    await commands.endBackground([own])
    await ended
    expect(other.signalCode).toBeNull()
  },
)
