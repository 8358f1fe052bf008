import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { CALL_MARKER, callMarker, endProcessGroup, endSessionCommands, groupRuns } from "./process-group.ts"

/** Their commands are ended below, which must not reach commands of tests that run at the same time. */
const sessionID = `ses_${crypto.randomUUID()}`
const longerID = `${sessionID}1`

/** Runs `script` in a shell for a session; each of its processes writes its id into `$OUT/pids`. */
async function run(ofSession: string, script: string, processes: number) {
  const directory = await mkdtemp(join(tmpdir(), "docket-group-"))
  const out = join(directory, "pids")
  const marker = callMarker(ofSession, crypto.randomUUID())
  const env = { PATH: process.env.PATH, OUT: out, SELF: "echo $$ >> $OUT;", [CALL_MARKER]: marker }
  const child = spawn("bash", ["-c", script], {
    detached: true,
    stdio: "ignore",
    env: env as unknown as NodeJS.ProcessEnv,
  })
  const exited = once(child, "exit")
  const read = async () =>
    existsSync(out) ? (await readFile(out, "utf8")).split("\n").filter(Boolean).map(Number) : []
  await expect.poll(read).toHaveLength(processes)
  const pids = await read()
  onTestFinished(async () => {
    for (const pid of pids.filter(alive)) process.kill(pid, "SIGKILL")
    await rm(directory, { recursive: true, force: true })
  })
  return { pid: child.pid ?? 0, marker, pids, exited }
}

/** A zombie does not count as alive. */
function alive(pid: number): boolean {
  const path = `/proc/${pid}/stat`
  return existsSync(path) && !/^\d+ \(.*\) Z/.test(readFileSync(path, "latin1"))
}

const sleeper = `sh -c "$SELF exec sleep 60"`
const deaf = `sh -c "trap '' TERM; $SELF while :; do sleep 0.05; done"`

describe.runIf(process.platform === "linux")("the end of a command", () => {
  it("reaches all its processes, even deaf, detached, orphaned or without environment", async () => {
    const script = `
      ${deaf} &
      setsid ${deaf} &
      nohup ${sleeper} >/dev/null 2>&1 &
      ( ( setsid ${sleeper} & ) & )
      setsid sh -c "$SELF env -i OUT=$OUT sh -c 'trap \\"\\" TERM; echo \\$\\$ >> \\$OUT; while :; do sleep 0.05; done'" &
      wait`
    const { pid, marker, pids } = await run(sessionID, script, 6)
    expect(pids.every(alive)).toBe(true)
    await endProcessGroup(pid, marker)
    await expect.poll(() => pids.filter(alive)).toEqual([])
  })

  it("reaches daemons of ended commands, and no other session's", async () => {
    const daemon = `setsid ${sleeper} </dev/null >/dev/null 2>&1 &`
    const one = await run(sessionID, daemon, 1)
    const two = await run(sessionID, `( ( ${daemon} ) & )`, 1)
    const other = await run(longerID, daemon, 1)
    await Promise.all([one.exited, two.exited, other.exited])
    expect([...one.pids, ...two.pids, ...other.pids].every(alive)).toBe(true)
    await endSessionCommands([sessionID])
    expect([...one.pids, ...two.pids].filter(alive)).toEqual([])
    expect(other.pids.every(alive)).toBe(true)
  })

  it("cannot find processes that left group, parent and environment", async () => {
    const script = `( setsid env -i OUT=$OUT sh -c 'echo $$ >> $OUT; exec sleep 60' </dev/null >/dev/null 2>&1 & )`
    const { pids, exited } = await run(sessionID, script, 1)
    await exited
    await endSessionCommands([sessionID])
    expect(pids.every(alive)).toBe(true)
  })

  it("is seen although the ended process group was not reaped", async () => {
    // Job control puts the child into its own group. The shell then becomes `sleep`, which never collects it.
    const script = `set -m; sh -c 'echo $$ >> $OUT; until grep -q sleep /proc/$PPID/comm; do :; done' & exec sleep 60`
    const { pid, pids, exited } = await run(sessionID, script, 1)
    const [group = 0] = pids
    await expect.poll(() => alive(group)).toBe(false)
    expect(existsSync(`/proc/${group}`)).toBe(true)
    expect(await groupRuns(group)).toBe(false)
    process.kill(pid, "SIGKILL")
    await exited
  })
})
