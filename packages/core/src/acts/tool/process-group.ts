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
  /** It runs in a sandbox, which the kernel ends with this service. */
  isHeld: boolean
}

/** Milliseconds between SIGTERM and SIGKILL. */
const KILL_AFTER = 3_000
/**
 * Milliseconds between two checks for remaining processes, doubled from the first, because most commands end at once.
 */
const POLL = { first: 2, longest: 50 }
const KILL_ROUNDS = 20
/** Rounds in which the sandbox program is not killed, so that it can collect the processes killed inside. */
const SPARED_ROUNDS = 5

/**
 * An environment variable with a unique value for each command: its session, a dot and a random part. On Linux it finds
 * every process of the command, even after setsid or a double fork. Not found: a process that leaves both its group and
 * its parent and also clears its environment (`setsid env -i`), one of another user, or one started by another service.
 */
export const CALL_MARKER = "AGENT_CALL_MARK"

/** The marker for one command of a session. */
export function callMarker(sessionID: string, random: string): string {
  return `${sessionID}.${random}`
}

/** The processes to find: members of a group, and all with one of these texts in their environment. */
interface ProcessSearch {
  leader: number | null
  entries: string[]
  /** Processes found before, with their start time, so that they are found again after their parent is gone. */
  known: Map<number, number>
}

/**
 * Ends a command with everything it started: TERM, three seconds, KILL. Resolves when nothing is left, or after KILL.
 * @param leader the group's id, while this process still holds the command; null to end only processes with the marker,
 * because the group id may have been reused
 * @param onSignal called when all processes have received the first signal
 */
export function endProcessGroup(leader: number | null, marker: string, onSignal?: () => void): Promise<void> {
  return endAll({ leader, entries: [markerEntry(marker)], known: new Map() }, onSignal)
}

async function endAll(search: ProcessSearch, onSignal?: () => void): Promise<void> {
  await signalAll(search, "SIGTERM")
  onSignal?.()
  const deadline = performance.now() + KILL_AFTER
  for (let wait = POLL.first; performance.now() < deadline; wait = Math.min(wait * 2, POLL.longest)) {
    if (await allEnded(search)) return
    await delay(wait)
  }
  // A process may fork between the listing and the signal, so repeat until none is left.
  for (let round = 0; round < KILL_ROUNDS; round++) {
    await signalAll(search, "SIGKILL", { spared: round < SPARED_ROUNDS })
    if (await allEnded(search)) return
    await delay(POLL.first)
  }
}

/**
 * Ends what a command of an earlier Docket process left after a crash. Finds processes only by their marker, so it
 * never ends others; does nothing where there is no /proc.
 */
export function reapCommand(command: Pick<SpawnedCommand, "marker">): Promise<void> {
  return endProcessGroup(null, command.marker)
}

/** Ends all processes of commands that these sessions ever ran, in this service process or an earlier one. */
export async function endSessionCommands(sessionIDs: string[]): Promise<void> {
  if (sessionIDs.length === 0) return
  const entries = sessionIDs.map((id) => `${CALL_MARKER}=${callMarker(id, "")}`)
  await endAll({ leader: null, known: new Map(), entries })
}

async function allEnded(search: ProcessSearch): Promise<boolean> {
  if (process.platform !== "linux") return search.leader === null || !(await groupRuns(search.leader))
  return (await findProcesses(search)).length === 0
}

/**
 * Running processes of the command: members of its group, all with the marker in their environment, and their
 * descendants. Zombies do not count. Empty where there is no /proc.
 */
export async function commandProcesses(leader: number | null, marker: string): Promise<number[]> {
  const found = await findProcesses({ leader, entries: [markerEntry(marker)], known: new Map() })
  return found.map(({ pid }) => pid)
}

/** The marker as it appears in an environment. */
export function markerEntry(marker: string): string {
  return `${CALL_MARKER}=${marker}\0`
}

async function findProcesses({ leader, entries, known }: ProcessSearch): Promise<ProcessFacts[]> {
  if (process.platform !== "linux") return []
  const all = await listProcesses()
  // Processes of the command cannot be older than its leader.
  const since = all.find(({ pid }) => pid === leader)?.started ?? 0
  const facts = await Promise.all(
    all.map(async (process) => {
      const { pid, group, zombie, started } = process
      const isMember = group === leader || known.get(pid) === started
      return { ...process, isOwn: !zombie && (isMember || (started >= since && (await hasEntry(pid, entries)))) }
    }),
  )
  const found = new Set(facts.filter(({ isOwn }) => isOwn).map(({ pid }) => pid))
  // Children are included even if they cleared their environment.
  for (let size = -1; size !== found.size; ) {
    size = found.size
    for (const { pid, parent, zombie } of facts) if (!zombie && found.has(parent)) found.add(pid)
  }
  const own = facts.filter(({ pid }) => found.has(pid))
  for (const { pid, started } of own) known.set(pid, started)
  return own
}

async function hasEntry(pid: number, entries: string[]): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "")
  return entries.some((entry) => environment.includes(entry))
}

/** Whether a process of the group runs. A zombie counts as ended: in most containers process 1 never collects it. */
export async function groupRuns(leader: number): Promise<boolean> {
  if (!signalProcess(-leader, 0)) return false
  if (process.platform !== "linux") return true
  return (await listProcesses()).some(({ group, zombie }) => group === leader && !zombie)
}

/**
 * The sandbox program waits for the processes inside and then ends. If it were signalled, nothing would wait for them.
 */
const sandboxProgram = "bwrap"

async function signalAll(search: ProcessSearch, signal: NodeJS.Signals, { spared = true } = {}): Promise<void> {
  // List the processes first: those that lose their parent by the signal are then still known.
  const found = await findProcesses(search)
  const inside = found.filter(({ name }) => name !== sandboxProgram)
  const sandboxLeadsGroup = found.some(({ pid, name }) => pid === search.leader && name === sandboxProgram)
  const isTermInSandbox = signal === "SIGTERM" && inside.length < found.length
  // Processes in a sandbox get the same time to end as those outside, unless nothing has started inside yet.
  const isSpared = spared && inside.length > 0 && (sandboxLeadsGroup || isTermInSandbox)
  if (search.leader !== null && !isSpared) signalProcess(-search.leader, signal)
  for (const { pid } of isSpared ? inside : found) signalProcess(pid, signal)
}

/** False when the process does not exist. */
function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
