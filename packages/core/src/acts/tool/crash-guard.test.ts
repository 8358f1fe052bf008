import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { expect, onTestFinished, test } from "vitest"
import { CALL_MARKER, commandProcesses } from "./process-group.ts"
import { createRunningCommands } from "./running-commands.ts"

const service = fileURLToPath(new URL("./test/service-with-program.ts", import.meta.url))
const patience = { timeout: 20_000 }

/** A process that stands for the service, once its program runs. */
async function startService(script: string) {
  const records = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-guard-")))
  onTestFinished(() => rmSync(records, { recursive: true, force: true }))
  const child = spawn(process.execPath, [service, records, script], { stdio: ["pipe", "pipe", "inherit"] })
  onTestFinished(() => void child.kill("SIGKILL"))
  await once(child.stdout, "data")
  const [record = ""] = readdirSync(records)
  const { marker } = JSON.parse(readFileSync(path.join(records, record), "utf8")) as { marker: string }
  return { child, records, marker }
}

function guardsOf(records: string): string[] {
  const running = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  return running.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(`docket-guard\0${records}\0`)
    } catch {
      return false
    }
  })
}

test.runIf(process.platform === "linux")("kill -9 of a service ends programs that left their group", async () => {
  const { child, records, marker } = await startService("setsid sleep 600 & echo on; wait")
  expect((await commandProcesses(null, marker)).length).toBeGreaterThan(1)
  child.kill("SIGKILL")
  await once(child, "exit")
  await expect.poll(() => commandProcesses(null, marker), patience).toEqual([])
  await expect.poll(() => readdirSync(records), patience).toEqual([])
})

test.runIf(process.platform === "linux")("a service that stops leaves no guard", async () => {
  const { child, records } = await startService("echo on; cat")
  expect(guardsOf(records)).toHaveLength(1)
  child.stdin.end()
  await once(child, "exit")
  await expect.poll(() => guardsOf(records), patience).toEqual([])
})

test.runIf(process.platform === "linux")("a guard leaves commands of the next service alone", async () => {
  const records = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-guard-")))
  onTestFinished(() => rmSync(records, { recursive: true, force: true }))
  const marker = `test.${crypto.randomUUID()}`
  const env = { PATH: process.env.PATH, [CALL_MARKER]: marker } as unknown as NodeJS.ProcessEnv
  const other = spawn("sleep", ["600"], { detached: true, stdio: "ignore", env })
  onTestFinished(() => void other.kill("SIGKILL"))
  await once(other, "spawn")
  const record = { pid: other.pid, startedAt: Date.now(), marker, service: "next" }
  writeFileSync(path.join(records, `${marker}.json`), JSON.stringify(record))
  const commands = createRunningCommands(records)
  await commands.reap("killed")
  expect(readdirSync(records)).toHaveLength(1)
  expect(await commandProcesses(null, marker)).toEqual([other.pid])
  await commands.reap("next")
  expect(await commandProcesses(null, marker)).toEqual([])
})
