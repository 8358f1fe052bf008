import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { confinementOf } from "../sandbox/confinement.ts"
import { commandProcesses } from "./process-group.ts"
import { createRunningCommands } from "./running-commands.ts"
import { startProgram } from "./start-program.ts"
import { createSandboxFixture } from "./test/sandbox-fixture.ts"

function setUp() {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-program-")))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const records = path.join(directory, "records")
  const deps = { commands: createRunningCommands(records), clock: Date.now }
  const request = (script: string) => ({
    owner: "test",
    file: "/bin/sh",
    args: ["-c", script],
    cwd: directory,
    env: { PATH: process.env.PATH ?? "" },
  })
  return { directory, records, deps, request }
}

const textOf = async (stream: AsyncIterable<Buffer>) => {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test("a program reads what it is written and answers", async () => {
  const { deps, request, records } = setUp()
  const program = await startProgram(deps, request("cat; echo problem >&2"))
  program.stdin.end("hello")
  expect(await textOf(program.stdout)).toBe("hello")
  expect(await program.ended).toEqual({ exit: 0, signal: null, over: null })
  expect(readdirSync(records)).toEqual([])
})

test("a missing program is an error that says so", async () => {
  const { deps, request } = setUp()
  await expect(startProgram(deps, { ...request(""), file: "/nowhere/program" })).rejects.toThrow(/could not be started/)
})

test.runIf(process.platform === "linux")("the end of a program ends all that it started", async () => {
  const { deps, request, records } = setUp()
  const program = await startProgram(deps, request("setsid sleep 600 & echo on; wait"))
  await new Promise((resolve) => program.stdout.once("data", resolve))
  const [record = ""] = readdirSync(records)
  const { marker } = JSON.parse(readFileSync(path.join(records, record), "utf8")) as { marker: string }
  expect((await commandProcesses(null, marker)).length).toBeGreaterThan(1)
  await program.end()
  expect(await commandProcesses(null, marker)).toEqual([])
  expect(readdirSync(records)).toEqual([])
})

test.runIf(process.platform === "linux")("the next service ends programs of a killed one", async () => {
  const { deps, request, records } = setUp()
  const program = await startProgram(deps, request("sleep 600"))
  await createRunningCommands(records).reap()
  expect((await program.ended).exit).toBeNull()
})

test("a program of a read-only place changes no file", async ({ skip }) => {
  const { sandbox, project } = createSandboxFixture()
  if ((await sandbox.state()).state === "off") skip("there is no sandbox here")
  const { deps, request } = setUp()
  const work = { projectID: "prj_1", worktree: project, directory: project, isReadOnly: true as const }
  const confinement = await confinementOf(sandbox, { mode: "required" }, work)
  if (confinement.kind !== "sandbox") throw new Error("the sandbox was refused")
  const launch = {
    ...request("echo x > made || echo refused; echo y > ~/cache && echo cached"),
    cwd: realpathSync(project),
  }
  const program = await startProgram(deps, { ...launch, confine: confinement.confine })
  expect((await textOf(program.stdout)).split("\n")).toEqual(["refused", "cached", ""])
  await program.ended
})
