import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { createSandbox } from "@docket/core/sandbox"
import type { Measurement } from "./measurement.ts"
import { median } from "./median.ts"

/** Commands of each kind, by turns. */
const rounds = 40

/** What the sandbox costs where a command is started: no rival has one. */
export const sandboxMeasurements: Measurement[] = [
  {
    name: "sandbox",
    label: "what the sandbox adds to a command",
    unit: "ms",
    aim: 15,
    opencode: "–",
    inProcess: true,
    measure: commandInSandbox,
  },
]

async function commandInSandbox(): Promise<number> {
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
    const launch = { file: "/bin/sh", args: ["-c", "true"], cwd: project, env: { PATH: process.env.PATH ?? "" } }
    const place = {
      ...{ project: "bench", worktree: project, directory: project },
      ...{ readable: [], writable: [], hidden: [], hosts: [] },
    }
    const plain: number[] = []
    const held: number[] = []
    for (let round = 0; round < rounds; round++) {
      plain.push(await timed(() => run(launch)))
      held.push(
        await timed(async () => {
          const confined = await sandbox.confine(launch, place)
          run(confined, confined.descriptors)
          confined.release()
        }),
      )
    }
    return median(held) - median(plain)
  } finally {
    sandbox.close()
    rmSync(root, { recursive: true, force: true })
  }
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
