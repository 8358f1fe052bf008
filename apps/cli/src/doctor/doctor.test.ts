import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, expect, test } from "vitest"
import { checkLines } from "./check.ts"
import { checkMachine } from "./check-machine.ts"
import { checkService } from "./check-service.ts"

const root = await mkdtemp(path.join(tmpdir(), "docket-doctor-"))
afterAll(() => rm(root, { recursive: true }))

test("docket doctor tells what of the machine is there, and what to do for what is not", async () => {
  const data = path.join(root, "data")
  const checks = await checkMachine({ data, isRunning: true, node: "18.1.0" })
  expect(checks).toMatchObject([
    { name: "node", state: "warn", text: expect.stringContaining("needs 24") },
    { name: "git", state: "ok", text: expect.stringMatching(/^\d/) },
    { name: "data directory", state: "ok", text: `${data} (made at the first start)` },
    { name: "port", state: "ok" },
  ])
})

test("docket doctor tries the sandbox itself where no service runs", async () => {
  const off = { state: "off", reason: "bubblewrap is not installed.", remedy: "Install it." } as const
  const checks = await checkService(null, async () => off)
  expect(checkLines(checks)).toEqual([
    "!   database, models  not looked at, because no service runs: start one with docket serve",
    "!   sandbox           off: bubblewrap is not installed. Install it.",
  ])
})
