import { readdir, readFile } from "node:fs/promises"

/** Milliseconds between the polite and the hard signal. */
const KILL_AFTER = 3_000
const POLL = 50

/**
 * A variable with a value of its own in the environment of a command. On Linux every process that comes
 * from the command is found by it, also one that left the process group with setsid.
 */
export const CALL_MARKER = "AGENT_CALL_MARK"

/**
 * Ends a command with all that it started: TERM, three seconds, KILL. Resolves when nothing is left, or
 * right after KILL.
 */
export async function endProcessGroup(leader: number, marker: string): Promise<void> {
  await signalAll(leader, marker, "SIGTERM")
  const deadline = performance.now() + KILL_AFTER
  while (performance.now() < deadline) {
    if (!groupAlive(leader) && (await markedProcesses(marker)).length === 0) return
    await new Promise((resolve) => setTimeout(resolve, POLL))
  }
  // A process may fork between the listing and the signal, so look again until none is left.
  for (let round = 0; round < 5; round++) {
    if ((await signalAll(leader, marker, "SIGKILL")) === 0) return
  }
}

/** Processes of the command that still run, by the marker in their environment; empty where /proc is missing. */
export async function markedProcesses(marker: string): Promise<number[]> {
  if (process.platform !== "linux") return []
  const entry = `${CALL_MARKER}=${marker}\0`
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number)
  const marked = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "")
      return environment.includes(entry) ? pid : null
    }),
  )
  return marked.filter((pid) => pid !== null)
}

async function signalAll(leader: number, marker: string, signal: NodeJS.Signals): Promise<number> {
  const reached = signalProcess(-leader, signal) ? 1 : 0
  const marked = await markedProcesses(marker)
  return marked.filter((pid) => signalProcess(pid, signal)).length + reached
}

/** True while a process of the group exists, be it a zombie. */
export function groupAlive(leader: number): boolean {
  return signalProcess(-leader, 0)
}

/** False when there is no such process (any more). */
function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
