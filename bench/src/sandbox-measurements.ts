import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { createOutputCapture } from "@docket/core/output-capture"
import { type CommandRequest, runCommand } from "@docket/core/run-command"
import { createSandbox } from "@docket/core/sandbox"
import type { Measurement } from "./measurement.ts"
import { median } from "./median.ts"

/** Commands of each kind, alternately. */
const rounds = 40

/** The cost of the sandbox when a command starts. OpenCode has no sandbox. */
export const sandboxMeasurements: Measurement[] = [
  {
    name: "sandbox",
    label: "what the sandbox adds to a command",
    unit: "ms",
    aim: 15,
    opencode: "–",
    inProcess: true,
    measure: () => inSandbox(addedToProgram),
  },
  {
    name: "sandbox-call",
    label: "what the sandbox adds to a call of bash, its end included",
    unit: "ms",
    aim: 8,
    opencode: "–",
    inProcess: true,
    measure: () => inSandbox(addedToCall),
  },
]

interface Place {
  project: string
  confine(launch: Launch): Promise<ConfinedLaunch>
}

type Launch = Parameters<NonNullable<CommandRequest["confine"]>>[0]
type ConfinedLaunch = Awaited<ReturnType<NonNullable<CommandRequest["confine"]>>>

async function inSandbox(measure: (place: Place) => Promise<number>): Promise<number> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-bench-sandbox-")))
  const project = path.join(root, "project")
  mkdirSync(project)
  const sandbox = createSandbox({
    home: path.join(root, "home"),
    env: process.env,
    platform: process.platform,
    dataDirectory: path.join(root, "data"),
    configDirectory: path.join(root, "config"),
    clock: Date.now,
  })
  try {
    const { state, reason } = await sandbox.state()
    if (state === "off") throw new Error(`there is no sandbox: ${reason}`)
    spawnSync("git", ["init", "-q"], { cwd: project })
    const place = {
      project: "bench",
      worktree: project,
      directory: project,
      readable: [],
      writable: [],
      hidden: [],
      variables: [],
      hosts: [],
    }
    return await measure({ project, confine: (launch) => sandbox.confine(launch, place) })
  } finally {
    await sandbox.close()
    rmSync(root, { recursive: true, force: true })
  }
}

async function addedToProgram({ project, confine }: Place): Promise<number> {
  const launch = { file: "/bin/sh", args: ["-c", "true"], cwd: project, env: { PATH: process.env.PATH ?? "" } }
  const runConfined = async () => {
    const confined = await confine(launch)
    run(confined, confined.descriptors)
    confined.release()
  }
  return added(() => run(launch), runConfined)
}

/** Time from the start of a call to its result, which waits until all its processes have ended. */
async function addedToCall({ project, confine }: Place): Promise<number> {
  const call = async (inside: Pick<CommandRequest, "confine">) => {
    const request: CommandRequest = {
      sessionID: "ses_bench",
      partID: "prt_1",
      shell: "bash",
      command: "echo",
      cwd: project,
      env: { PATH: process.env.PATH ?? "" },
      timeout: 60_000,
      signal: new AbortController().signal,
      onOutput: () => {},
      ...inside,
      capture: createOutputCapture({ file: path.join(project, "output"), maxBytes: 1_000 }),
    }
    const { exit } = await runCommand(request, Date.now)
    if (exit !== 0) throw new Error(`the command ended with ${exit}`)
  }
  return added(
    () => call({}),
    () => call({ confine }),
  )
}

async function added(plain: () => Promise<void> | void, confined: () => Promise<void>): Promise<number> {
  const times = { plain: [] as number[], confined: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    times.plain.push(await timed(plain))
    times.confined.push(await timed(confined))
  }
  return median(times.confined) - median(times.plain)
}

async function timed(work: () => Promise<void> | void): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

interface Started {
  file: string
  args: string[]
  cwd: string
  env: Record<string, string>
}

function run({ file, args, cwd, env }: Started, descriptors: number[] = []): void {
  const { status, stderr } = spawnSync(file, args, { cwd, env, stdio: ["ignore", "ignore", "pipe", ...descriptors] })
  if (status !== 0) throw new Error(`the command failed: ${String(stderr)}`)
}
