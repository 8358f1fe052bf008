import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { describe, expect, onTestFinished, test } from "vitest"
import { type Limits, usualLimits } from "../../ground/schema/limits-config.ts"
import { createOutputCapture } from "../tool/output-capture.ts"
import { runCommand } from "../tool/run-command.ts"
import { createBounds } from "./create-bounds.ts"
import { listProcesses } from "./list-processes.ts"

const MiB = 1024 ** 2

/** Far above what the test commands need, so that they end by themselves when nothing ends them. */
const roomy: Limits = usualLimits(4 * 1024 * MiB)

const ways = [
  { way: "by control groups, where they can be made", groups: true },
  { way: "by watching", groups: false },
]

/** Runs a command outside of any sandbox, within limits. */
function fixture({ groups }: { groups: boolean }) {
  const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-bounds-")))
  const bounds = createBounds({ platform: process.platform, clock: () => 42, groups })
  onTestFinished(async () => {
    await bounds.close()
    rmSync(directory, { recursive: true, force: true })
  })
  let runs = 0
  return {
    bounds,
    directory,
    run(command: string, limits: Partial<Limits["command"]> & { free?: number; all?: Partial<Limits["all"]> } = {}) {
      const { free, all, ...own } = limits
      runs += 1
      return runCommand(
        {
          sessionID: "ses_1",
          partID: "prt_1",
          shell: "bash",
          command,
          cwd: directory,
          env: { PATH: process.env.PATH ?? "" },
          timeout: 60_000,
          signal: new AbortController().signal,
          onOutput: () => {},
          capture: createOutputCapture({ file: path.join(directory, `output-${runs}`), maxBytes: MiB }),
          bound: (processTag) =>
            bounds.begin({
              scope: "here",
              processTag,
              isHeld: false,
              places: [directory],
              limits: {
                command: { ...roomy.command, ...own },
                all: { ...roomy.all, ...all },
                free: free ?? 0,
              },
            }),
        },
        Date.now,
      )
    },
  }
}

/** Running processes with this word in their command line. Each test sleeps for a number of its own, such as 31.7. */
async function running(word: string): Promise<number[]> {
  const all = await listProcesses()
  return all.flatMap(({ pid, zombie }) => {
    const line = existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, "latin1") : ""
    return !zombie && line.includes(word) ? [pid] : []
  })
}

describe.runIf(process.platform === "linux").each(ways)("a command outside the sandbox, held $way", (how) => {
  test("is ended with its processes when it starts too many", async () => {
    const { run, bounds } = fixture(how)
    // 300 sleepers; half of them leave the process group.
    const { over, background } = await run(
      "for i in $(seq 150); do sleep 31.7 & setsid sleep 31.7 & done; wait; echo never",
      { processes: 100 },
    )
    expect(over).toEqual({ limit: "processes", scope: "command", value: 100 })
    expect(background).toEqual([])
    await expect.poll(() => running("31.7")).toEqual([])
    expect(bounds.ended("here")).toEqual([{ ...over, at: 42 }])
    expect(bounds.ended("elsewhere")).toEqual([])
  })

  test("is ended when it takes too much memory", async () => {
    const { run } = fixture(how)
    const { over, output } = await run(
      `${process.execPath} -e 'const kept = []; for (let i = 0; i < 60; i++) { kept.push(Buffer.alloc(8e6, 1)); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25) }; Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30_000); console.log("never")'`,
      { memory: 150 * MiB },
    )
    expect(over).toMatchObject({ limit: "memory", scope: "command", value: 150 * MiB })
    expect(output.text).not.toContain("never")
  })

  test("ends when it writes too much or leaves too little disk space", async () => {
    const { run, directory } = fixture(how)
    const written = await run(
      "for i in $(seq 60); do head -c 4M /dev/zero >> big; sleep 0.05; done; sleep 30; echo never",
      {
        written: 20 * MiB,
      },
    )
    expect(written.over).toEqual({ limit: "written", scope: "command", value: 20 * MiB })
    rmSync(path.join(directory, "big"))
    const filling = await run("fallocate -l 40M big; sleep 30; echo never", { free: 2 ** 52 })
    expect(filling.over).toMatchObject({ limit: "free", value: 2 ** 52 })
  })

  test.each([
    [
      "children that nobody waits for",
      `perl -e '$SIG{CHLD}="IGNORE"; for (1..60) { if (!fork()) { open(F, ">", "f$_"); print F "x" x 1048576 for 1..4; exit } select(undef, undef, undef, 0.05) } sleep 30'`,
    ],
    ["space that is only reserved", "fallocate -l 100M f1; sleep 30"],
  ])("is ended for writing too much, counting %s", async (_, command) => {
    const { run } = fixture(how)
    const { over } = await run(`${command}; echo never`, { written: 64 * MiB })
    expect(over).toEqual({ limit: "written", scope: "command", value: 64 * MiB })
  })

  test("is not ended when another program fills the same disk", async () => {
    const { run, directory } = fixture(how)
    const elsewhere = mkdtempSync(path.join(tmpdir(), "docket-elsewhere-"))
    onTestFinished(() => rmSync(elsewhere, { recursive: true }))
    const running = run("while [ ! -e go ]; do sleep 0.05; done; sleep 1; echo whole", { written: 16 * MiB })
    writeFileSync(path.join(elsewhere, "big"), Buffer.alloc(64 * MiB, 1))
    writeFileSync(path.join(directory, "go"), "")
    expect(await running).toMatchObject({ over: null, output: { text: "whole\n" } })
  })

  test("runs normally below its limits, with its allowed number of open files", async () => {
    const { run, bounds } = fixture(how)
    const result = await run("ulimit -n; for i in $(seq 20); do true & done; wait; exit 3", { files: 512 })
    expect(result).toMatchObject({ exit: 3, over: null, output: { text: "512\n" } })
    expect(bounds.ended("here")).toEqual([])
  })

  test("leaves a server running, which is ended when it exceeds the limits", async () => {
    const { run, bounds } = fixture(how)
    const { background, over } = await run(
      "(sleep 0.3; for i in $(seq 200); do sleep 32.7 & done; wait) >/dev/null 2>&1 & echo",
      { processes: 100 },
    )
    expect(over).toBeNull()
    expect(background.length).toBeGreaterThan(0)
    await expect.poll(() => bounds.ended("here"), { timeout: 10_000 }).toMatchObject([{ limit: "processes" }])
    await expect.poll(() => running("32.7")).toEqual([])
  })

  test("ends first when it uses most of a shared limit", async () => {
    const { run, directory } = fixture(how)
    const all = { processes: 60 }
    const begun = "until [ -e begun ]; do sleep 0.05; done"
    const ended = "until [ -e ended ]; do sleep 0.05; done"
    const small = run(`for i in $(seq 15); do sleep 34.7 & done; echo > begun; ${ended}; kill $(jobs -p)`, { all })
    const { over } = await run(`${begun}; for i in $(seq 55); do sleep 33.7 & done; wait; echo never`, { all })
    expect(over).toEqual({ limit: "processes", scope: "all", value: 60 })
    writeFileSync(path.join(directory, "ended"), "")
    expect(await small).toMatchObject({ exit: 0, over: null })
  })
})

test.runIf(process.platform === "linux")(
  "all control groups are removed at the end, even just ended ones",
  async () => {
    const { run, bounds } = fixture({ groups: true })
    await Promise.all([run("sleep 0.1"), run("sleep 0.2 & exit")])
    await bounds.close()
    expect(ownGroups()).toEqual([])
  },
)

/** Control groups made by this process, wherever they are mounted. */
function ownGroups(): string[] {
  const roots = readFileSync("/proc/self/mountinfo", "utf8").matchAll(/^(?:\S+ ){4}(\S+) .* - cgroup2? .*$/gm)
  return [...roots].flatMap(([, root = ""]) =>
    readdirSync(root, { recursive: true, withFileTypes: false })
      .map(String)
      .filter((name) => path.basename(name).startsWith(`docket-${process.pid}-`)),
  )
}
