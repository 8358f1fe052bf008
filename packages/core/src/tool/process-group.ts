import { readdir, readFile } from "node:fs/promises"

/** A running command, as it is recorded to end it after a crash. */
export interface SpawnedCommand {
  /** The leader of its process group. */
  pid: number
  /** Epoch ms. */
  startedAt: number
  /** The value of {@link CALL_MARKER} in its environment. */
  marker: string
}

/** Milliseconds between the polite and the hard signal. */
const KILL_AFTER = 3_000
const POLL = 50
const KILL_ROUNDS = 20

/**
 * A variable with a value of its own in the environment of a command. On Linux every process that comes
 * from the command is found by it, also one that left the process group with setsid.
 */
export const CALL_MARKER = "AGENT_CALL_MARK"

/**
 * Ends a command with all that it started: TERM, three seconds, KILL. Resolves when nothing is left, or
 * after KILL.
 * @param leader the group's id, while this process still holds the command; null to end only what carries
 *   the marker, because a group id may have been given to others since
 */
export async function endProcessGroup(leader: number | null, marker: string): Promise<void> {
  await signalAll(leader, marker, "SIGTERM")
  const deadline = performance.now() + KILL_AFTER
  while (performance.now() < deadline) {
    if (await allEnded(leader, marker)) return
    await new Promise((resolve) => setTimeout(resolve, POLL))
  }
  // A process may fork between the listing and the signal, so look again until none is left.
  for (let round = 0; round < KILL_ROUNDS; round++) {
    await signalAll(leader, marker, "SIGKILL")
    if (await allEnded(leader, marker)) return
  }
}

/**
 * Ends what a command of an earlier process of Docket left behind after a crash. Finds processes by their
 * marker only, so it never hits a stranger; does nothing where there is no /proc.
 */
export function reapCommand(command: SpawnedCommand): Promise<void> {
  return endProcessGroup(null, command.marker)
}

async function allEnded(leader: number | null, marker: string): Promise<boolean> {
  // A zombie keeps its group alive, so /proc knows better.
  if (process.platform !== "linux") return leader === null || !groupAlive(leader)
  return (await commandProcesses(leader, marker)).length === 0
}

/**
 * Processes of the command that still run: members of its group, and all with the marker in their
 * environment. Zombies do not count. Empty where there is no /proc.
 */
export async function commandProcesses(leader: number | null, marker: string): Promise<number[]> {
  if (process.platform !== "linux") return []
  const entry = `${CALL_MARKER}=${marker}\0`
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number)
  const own = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "")
      return environment.includes(entry) || (leader !== null && (await isLiveMember(pid, leader))) ? pid : null
    }),
  )
  return own.filter((pid) => pid !== null)
}

async function isLiveMember(pid: number, leader: number): Promise<boolean> {
  const facts = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => "")
  // pid (name) state ppid pgrp …; the name may hold spaces and parentheses: proc_pid_stat(5).
  const [state, , group] = facts.slice(facts.lastIndexOf(")") + 2).split(" ")
  return Number(group) === leader && state !== "Z"
}

/** True while a process of the group exists, be it a zombie. */
export function groupAlive(leader: number): boolean {
  return signalProcess(-leader, 0)
}

async function signalAll(leader: number | null, marker: string, signal: NodeJS.Signals): Promise<void> {
  if (leader !== null) signalProcess(-leader, signal)
  for (const pid of await commandProcesses(leader, marker)) signalProcess(pid, signal)
}

/** False when there is no such process (any more). */
function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
