import { readFile } from "node:fs/promises"
import { setTimeout as delay } from "node:timers/promises"
import { listProcesses, type ProcessFacts } from "../bound/list-processes.ts"

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
/** Milliseconds between two looks for what is left: doubled from the first, for most commands end at once. */
const POLL = { first: 2, longest: 50 }
const KILL_ROUNDS = 20
/** Rounds in which the sandbox's own program may wait for what was killed in it. */
const SPARED_ROUNDS = 5

/**
 * A variable with a value of its own in the environment of a command: its session, a dot and a random part. On Linux
 * every process that comes from the command is found by it, also one that left the process group with setsid or that
 * was orphaned by a double fork. What does both and clears or overwrites its environment (`setsid env -i`, a daemon
 * that renames itself), runs as another user, or is started by another service, is not found.
 */
export const CALL_MARKER = "AGENT_CALL_MARK"

/** The marker for one command of a session. */
export function callMarker(sessionID: string, random: string): string {
  return `${sessionID}.${random}`
}

/** Which processes: members of a group, and all with one of these texts in their environment. */
interface Wanted {
  leader: number | null
  entries: string[]
  /** Found before, by id with their start time: they stay wanted when their parent is gone. */
  known: Map<number, number>
}

/**
 * Ends a command with all that it started: TERM, three seconds, KILL. Resolves when nothing is left, or
 * after KILL.
 * @param leader the group's id, while this process still holds the command; null to end only what carries
 *   the marker, because a group id may have been given to others since
 * @param onSignal called when all have the first signal
 */
export function endProcessGroup(leader: number | null, marker: string, onSignal?: () => void): Promise<void> {
  return endAll({ leader, entries: [markerEntry(marker)], known: new Map() }, onSignal)
}

async function endAll(wanted: Wanted, onSignal?: () => void): Promise<void> {
  await signalAll(wanted, "SIGTERM")
  onSignal?.()
  const deadline = performance.now() + KILL_AFTER
  for (let wait = POLL.first; performance.now() < deadline; wait = Math.min(wait * 2, POLL.longest)) {
    if (await allEnded(wanted)) return
    await delay(wait)
  }
  // A process may fork between the listing and the signal, so look again until none is left.
  for (let round = 0; round < KILL_ROUNDS; round++) {
    await signalAll(wanted, "SIGKILL", { spared: round < SPARED_ROUNDS })
    if (await allEnded(wanted)) return
    await delay(POLL.first)
  }
}

/**
 * Ends what a command of an earlier process of Docket left behind after a crash. Finds processes by their
 * marker only, so it never hits a stranger; does nothing where there is no /proc.
 */
export function reapCommand(command: SpawnedCommand): Promise<void> {
  return endProcessGroup(null, command.marker)
}

/** Ends whatever still runs of all commands that these sessions ever ran, in this process or an earlier one. */
export async function endSessionCommands(sessionIDs: string[]): Promise<void> {
  if (sessionIDs.length === 0) return
  const entries = sessionIDs.map((id) => `${CALL_MARKER}=${callMarker(id, "")}`)
  await endAll({ leader: null, known: new Map(), entries })
}

async function allEnded(wanted: Wanted): Promise<boolean> {
  if (process.platform !== "linux") return wanted.leader === null || !(await groupRuns(wanted.leader))
  return (await findProcesses(wanted)).length === 0
}

/**
 * Processes of the command that still run: members of its group, all with the marker in their environment, and what
 * descends from these. Zombies do not count. Empty where there is no /proc.
 */
export async function commandProcesses(leader: number | null, marker: string): Promise<number[]> {
  const found = await findProcesses({ leader, entries: [markerEntry(marker)], known: new Map() })
  return found.map(({ pid }) => pid)
}

/** How the marker stands in an environment. */
export function markerEntry(marker: string): string {
  return `${CALL_MARKER}=${marker}\0`
}

async function findProcesses({ leader, entries, known }: Wanted): Promise<ProcessFacts[]> {
  if (process.platform !== "linux") return []
  const all = await listProcesses()
  // What comes from the command began when its leader did, or later.
  const since = all.find(({ pid }) => pid === leader)?.started ?? 0
  const facts = await Promise.all(
    all.map(async (process) => {
      const { pid, group, zombie, started } = process
      const own = group === leader || known.get(pid) === started
      return { ...process, own: !zombie && (own || (started >= since && (await hasEntry(pid, entries)))) }
    }),
  )
  const found = new Set(facts.filter(({ own }) => own).map(({ pid }) => pid))
  // A child that cleared its environment.
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const { pid, parent, zombie } of facts) if (!zombie && found.has(parent)) found.add(pid)
  }
  const left = facts.filter(({ pid }) => found.has(pid))
  for (const { pid, started } of left) known.set(pid, started)
  return left
}

async function hasEntry(pid: number, entries: string[]): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "")
  return entries.some((entry) => environment.includes(entry))
}

/**
 * Whether a process of the group runs. One that ended counts as gone, though nobody has asked for its end yet: in most
 * containers process 1 never does.
 */
export async function groupRuns(leader: number): Promise<boolean> {
  if (!signalProcess(-leader, 0)) return false
  if (process.platform !== "linux") return true
  return (await listProcesses()).some(({ group, zombie }) => group === leader && !zombie)
}

/** Waits for what runs in it, and ends with that: when it is signalled itself, nobody is left to wait. */
const sandboxProgram = "bwrap"

async function signalAll(wanted: Wanted, signal: NodeJS.Signals, { spared = true } = {}): Promise<void> {
  // Listed first: what loses its parent to the signal is still known.
  const found = await findProcesses(wanted)
  const inside = found.filter(({ name }) => name !== sandboxProgram)
  // What is in a sandbox gets the time that it would have outside, unless nothing has started there yet.
  const isHeld = found.some(({ pid, name }) => pid === wanted.leader && name === sandboxProgram)
  const isSpared = spared && inside.length > 0 && (isHeld || (signal === "SIGTERM" && inside.length < found.length))
  if (wanted.leader !== null && !isSpared) signalProcess(-wanted.leader, signal)
  for (const { pid } of isSpared ? inside : found) signalProcess(pid, signal)
}

/** False when there is no such process (any more). */
function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
