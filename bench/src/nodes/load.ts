import { existsSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"
import { z } from "zod"
import { type DirectiveInput, toPrompt } from "../fake-provider/directive.ts"
import type { Stage } from "../measurement.ts"
import { familyTime, processorTime } from "../processor-time.ts"
import { residentMemory } from "../resident-memory.ts"
import { createRandom } from "../soak/random.ts"
import type { Entrance, Nodes } from "./open-nodes.ts"
import { createWatching, type Noticed, type Watcher } from "./open-watcher.ts"

export interface LoadPlan {
  sessions: number
  /** How many of them work at a time. */
  active: number
  /** How many turns are run in all, at most. */
  turns: number
  /** After so long (s), no turn begins any more. */
  seconds: number
}

export interface LoadResult extends Noticed {
  /** From the first prompt to the last end (s). */
  wall: number
  /** From the acceptance of each prompt to its begin (ms). */
  waits: number[]
  /** Processor time (s) by process. */
  processor: Record<string, number>
  /** The most memory by process (MiB). */
  memory: Record<string, number>
}

/** Readers of each session, each at another entrance where there are several. */
const readers = 2
/** Two calls, then half a minute of text at 20 pieces a second. */
const work: Omit<DirectiveInput, "id"> = {
  ...{ latency: 200, steps: 2, call: { name: "read", args: { filePath: "notes.md" } } },
  ...{ chunks: 600, every: 50 },
}
/** A turn that takes longer than this is a problem (ms). */
const giveUpMs = 240_000
const lookMs = 1_000

/** Runs turns in sessions that are read, in as many at a time as the plan says. */
export async function runLoad(
  nodes: Nodes,
  { provider }: Pick<Stage, "provider">,
  { sessions, active, turns, seconds }: LoadPlan,
): Promise<LoadResult> {
  const noticed: Noticed = { text: [], rows: [], problems: [] }
  const watching = createWatching(nodes, noticed)
  const open = await openSessions(nodes, watching, sessions)
  const processes = { ...nodes.processes, provider: provider.pid, generator: process.pid }
  const { stop } = await lookAt(processes, nodes, noticed)
  const random = createRandom(1)
  const waits: number[] = []
  const idle = [...open]
  const start = performance.now()
  let left = turns
  const worker = async () => {
    // So that they do not all begin, and end, in the same moment.
    await delay(random() * 5_000)
    while (left-- > 0 && performance.now() - start < seconds * 1_000) {
      const [session] = idle.splice(Math.floor(random() * idle.length), 1)
      if (session === undefined) return
      const wait = await session.turn(noticed)
      if (wait !== null) waits.push(wait)
      idle.push(session)
    }
  }
  await Promise.all(Array.from({ length: active }, worker))
  const wall = (performance.now() - start) / 1_000
  const used = stop()
  for (const { watchers } of open) for (const { close } of watchers) close()
  return { ...noticed, wall, waits, ...used }
}

interface OpenSession {
  watchers: Watcher[]
  /** Runs a turn until each reader knows of its end. Returns how long it waited to begin (ms). */
  turn(noticed: Noticed): Promise<number | null>
}

async function openSessions(
  { entrances, projects }: Nodes,
  watching: ReturnType<typeof createWatching>,
  count: number,
): Promise<OpenSession[]> {
  const open: OpenSession[] = []
  let begun = 0
  const caller = async () => {
    while (begun < count) {
      const index = begun++
      const at = (offset: number) => entrances[(index + offset) % entrances.length] as Entrance
      const { client } = at(0)
      const projectID = projects[index % projects.length] as string
      const { id: sessionID } = await client.session.create.mutate({ projectID })
      const watchers: Watcher[] = []
      for (let reader = 0; reader < readers; reader++) watchers.push(await watching.watch(sessionID, at(reader)))
      open.push({ watchers, turn: (noticed) => runTurn({ client, sessionID, watchers, noticed }) })
    }
  }
  await Promise.all(Array.from({ length: 20 }, caller))
  return open
}

interface TurnRun {
  client: Entrance["client"]
  sessionID: string
  watchers: readonly Watcher[]
  noticed: Noticed
}

async function runTurn({ client, sessionID, watchers, noticed }: TurnRun): Promise<number | null> {
  try {
    const text = toPrompt({ id: crypto.randomUUID(), ...work })
    const { id } = await client.session.promptAsync.mutate({ sessionID, parts: [{ type: "text", text }] })
    const tooLate = delay(giveUpMs, null, { ref: false })
    const ends = await Promise.all(watchers.map(({ ended }) => Promise.race([ended(id), tooLate])))
    const [end] = ends
    if (ends.includes(null) || !end) noticed.problems.push("a reader did not hear of the end of a turn")
    else if (end.status !== "completed" || end.time.started === null) noticed.problems.push(`a turn ${end.status}`)
    else return end.time.started - end.time.created
  } catch (error) {
    noticed.problems.push(`a prompt was refused: ${error instanceof Error ? error.message : error}`)
  }
  return null
}

/** Watches the memory of the processes, and their processor time until `stop`. */
async function lookAt(
  processes: Readonly<Record<string, number>>,
  nodes: Nodes,
  { problems }: Noticed,
): Promise<{ stop(): Pick<LoadResult, "processor" | "memory"> }> {
  const database = await databaseServer(nodes)
  const time = () => {
    const times = Object.entries(processes).map(([name, pid]) => [name, (processorTime(pid) ?? 0) / 1_000] as const)
    return new Map([...times, ["database", (familyTime(database) ?? 0) / 1_000] as const])
  }
  const before = time()
  const memory: Record<string, number> = {}
  const look = () => {
    for (const [name, pid] of Object.entries(processes)) {
      if (existsSync(`/proc/${pid}`)) memory[name] = Math.max(memory[name] ?? 0, residentMemory(pid))
      else problems.push(`${name} is not there`)
    }
  }
  const looking = setInterval(look, lookMs)
  return {
    stop() {
      clearInterval(looking)
      look()
      const processor = [...time()].map(([name, now]) => [name, now - (before.get(name) ?? 0)])
      return { processor: Object.fromEntries(processor), memory }
    },
  }
}

/** The process that all processes of the database are children of. */
async function databaseServer({ postgres }: Nodes): Promise<number> {
  const [file] = await postgres.execute("SELECT pg_read_file('postmaster.pid') AS text")
  return Number.parseInt(z.object({ text: z.string() }).parse(file).text, 10)
}
