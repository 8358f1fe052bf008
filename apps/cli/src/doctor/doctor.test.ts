import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import type { ModelInfo, ProviderInfo } from "@docket/core/schema"
import { afterAll, expect, test } from "vitest"
import { checkLines } from "./check.ts"
import { checkMachine } from "./check-machine.ts"
import { checkModels } from "./check-models.ts"
import { checkService, limitsCheck, variablesCheck } from "./check-service.ts"

const root = await mkdtemp(path.join(tmpdir(), "docket-doctor-"))
afterAll(() => rm(root, { recursive: true }))

test("docket doctor lists what the machine has and how to add more", async () => {
  const data = path.join(root, "data")
  const checks = await checkMachine({ data, isRunning: true, node: "18.1.0" })
  expect(checks).toMatchObject([
    { name: "node", state: "warn", text: expect.stringContaining("needs 24") },
    { name: "git", state: "ok", text: expect.stringMatching(/^\d/) },
    { name: "data directory", state: "ok", text: `${data} (made at the first start)` },
    { name: "port", state: "ok" },
  ])
})

test("docket doctor names providers that answer, without unconfigured ones or the rehearsal", () => {
  const model = { id: "m", name: "M", rehearsal: false } as ModelInfo
  const provider = (id: string, connected: boolean, rehearsal = false) =>
    ({ id, connected, models: [{ ...model, rehearsal }] }) as ProviderInfo
  const waiting = provider("openai", false)
  const rehearsal = provider("docket", true, true)
  expect(checkModels([waiting, rehearsal, provider("anthropic", true)]).text).toBe("anthropic")
  expect(checkModels([waiting, rehearsal])).toMatchObject({
    state: "warn",
    text: expect.stringMatching(/^only the rehearsal: connect one in Settings/),
  })
  expect(checkModels([waiting])).toMatchObject({
    state: "warn",
    text: expect.stringMatching(/^none: connect one in Settings/),
  })
})

test("docket doctor tries the sandbox itself when no service runs", async () => {
  const off = { state: "off", reason: "bubblewrap is not installed.", remedy: "Install it." } as const
  const checks = await checkService(null, async () => off)
  expect(checkLines(checks)).toEqual([
    "!   database, models  not looked at, because no service runs: start one with docket serve",
    "!   sandbox           off: bubblewrap is not installed. Install it.",
  ])
})

test("docket doctor shows limits of commands and which commands exceeded them", () => {
  const limits = {
    means: "cgroup v2",
    command: { processes: 1_024, memory: 2 ** 33, files: 65_536, written: 20 * 2 ** 30 },
    all: { processes: 4_096, memory: 12 * 2 ** 30 },
    free: null,
    ended: [],
  } as const
  expect(limitsCheck({ ...limits, ended: [] })).toMatchObject({
    state: "ok",
    text: expect.stringContaining("memory: 8 GiB a command, 12 GiB together"),
  })
  const ended = [{ limit: "processes", scope: "command", value: 1_024, at: 0 } as const]
  expect(limitsCheck({ ...limits, ended })).toMatchObject({
    state: "warn",
    text: expect.stringMatching(/1970-01-01T00:00:00.000Z more than 1,024 processes and threads of one command/),
  })
})

test("docket doctor lists variables that commands lack and how to pass them", () => {
  expect(checkLines([variablesCheck(["AWS_PROFILE", "SITE"])])).toEqual([
    expect.stringMatching(
      /^ok {2}variables {2}commands do not get AWS_PROFILE, SITE\. To pass one, name it in "sandbox": \{ "env"/,
    ),
  ])
  expect(variablesCheck([])).toMatchObject({ state: "ok", text: expect.stringContaining("every variable") })
})
