import { readFile } from "node:fs/promises"
import path from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import type { Answer, Script } from "../fixtures/scripted-model.ts"
import type { Random } from "../watch/random.ts"
import { checkHistory } from "./check-history.ts"
import type { Cluster, RigNode, RigProject } from "./cluster.ts"
import type { Accepted, History, Stored } from "./history.ts"
import { openReader, type Reader } from "./reader.ts"
import { readRowLog } from "./row-log.ts"
import { until } from "./until.ts"

/** One kind of failure. */
export interface Row {
  name: string
  /** What happens in a round. */
  about: string
  /** What figures should be at most (ms): it is printed, and no fault. */
  expects?: Record<string, string>
  play(round: Round): Promise<void>
}

/** What a row plays with, and where it notes what came of it. */
export interface Round {
  cluster: Cluster
  random: Random
  /** A word that no other round uses. */
  mark: string
  script(script: Script): void
  /** A new session in the project, with two readers. */
  begin(project: RigProject): Promise<string>
  /** Sends a prompt, again until it is accepted. Resolves with how often it was refused. */
  prompt(sessionID: string, text: string): Promise<number>
  /** Resolves when nothing works in the tree any more. */
  settled(sessionID: string): Promise<void>
  /** What the database noted of the tree. */
  stored(sessionID: string): Promise<Stored[]>
  /** Notes a duration (ms). */
  figure(name: string, ms: number): void
  count(name: string, more?: number): void
  /** Notes a fault, unless it is so. */
  expect(isSo: boolean, fault: string): void
  readers(): readonly Reader[]
}

export interface RoundResult {
  faults: string[]
  figures: Map<string, number[]>
  counts: Map<string, number>
  history: History
}

/** The file in which calls note that they are executed. */
const executedFile = "executed.log"
/** Pause before a prompt that was refused is sent again (ms). */
const againMs = 100

/** More answers than a turn needs: what a takeover interrupts is asked for again, after what there is. */
export function said(text: string): Answer[] {
  return [{ text }, { text }, { text }]
}

/** A call of bash that notes its mark, and then runs `command`. */
export function noted(mark: string, command = "true"): Answer {
  const noting = `echo ${mark} >> ${executedFile}; ${command}`
  return { calls: [{ tool: "bash", args: { command: noting, description: "works" } }] }
}

/** Plays one round of a row and checks its history. Never rejects. */
export async function playRound(
  row: Row,
  { cluster, random, mark }: Pick<Round, "cluster" | "random" | "mark">,
): Promise<RoundResult> {
  const { client, postgres, projects, url, token } = cluster
  const faults: string[] = []
  const figures = new Map<string, number[]>()
  const counts = new Map<string, number>()
  const roots: string[] = []
  const readers: Reader[] = []
  const accepted: Accepted[] = []
  const round: Round = {
    ...{ cluster, random, mark },
    readers: () => readers,
    script: cluster.model.script,
    async begin({ id: projectID }) {
      // Web nodes learn by their next look that a host is back.
      const { id } = await until("the session is made", () =>
        client.session.create.mutate({ projectID }).catch(() => null),
      )
      roots.push(id)
      for (const name of ["Ada", "Bob"]) readers.push(await openReader({ url, token, root: id, name }))
      return id
    },
    async prompt(sessionID, text) {
      for (let refused = 0; ; refused++) {
        try {
          await client.session.promptAsync.mutate({ sessionID, parts: [{ type: "text", text }] })
          accepted.push({ session: sessionID, text, at: Date.now() })
          return refused
        } catch (error) {
          if (refused > 600) throw error
          await delay(againMs)
        }
      }
    },
    settled: (sessionID) => settled(cluster, sessionID),
    stored: (sessionID) => readRowLog(postgres, [sessionID]),
    figure: (name, ms) => void figures.set(name, [...(figures.get(name) ?? []), ms]),
    count: (name, more = 1) => void counts.set(name, (counts.get(name) ?? 0) + more),
    expect: (isSo, fault) => void (isSo || faults.push(fault)),
  }
  const history: History = { accepted, seen: [], folds: [], stored: [], executed: [] }
  const note = async () => {
    history.seen = readers.flatMap(({ seen }) => seen)
    history.stored = await readRowLog(postgres, roots)
  }
  try {
    await row.play(round)
    for (const root of roots) await settled(cluster, root)
    for (const reader of readers) history.folds.push(await reader.fold())
    const marks = (await executed(projects.storage)).concat(await executed(projects.lone))
    history.executed = marks.filter((each) => each.startsWith(`${mark}-`))
    await note()
    faults.push(...checkHistory(history))
  } catch (error) {
    faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
    await note().catch(() => {})
  } finally {
    for (const reader of readers) reader.close()
    cluster.model.forget()
  }
  return { faults, figures, counts, history }
}

async function settled({ client }: Cluster, sessionID: string): Promise<void> {
  let left = ""
  const look = async () => {
    const tree = await client.session.tree.query({ sessionID }).catch(() => null)
    if (tree === null) return false
    left = JSON.stringify(tree.turns.map(({ id, status }) => [id, status]))
    if (tree.turns.length > 0 || !tree.sessions.every(({ status }) => status.type === "idle")) return false
    return tree.tasks.every(({ state }) => state !== "queued" && state !== "running")
  }
  // A machine that is busy works off many prompts slowly.
  await until(`the tree ${sessionID} comes to rest`, look, () => left)
}

async function executed({ directory }: RigProject): Promise<string[]> {
  const text = await readFile(path.join(directory, executedFile), "utf8").catch(() => "")
  return text.split("\n").filter((line) => line !== "")
}

/** The claims of turns, in their order: the rows in which a new epoch runs. */
export function claimsOf(stored: readonly Stored[]): Stored[] {
  const known = new Set<string>()
  return stored.filter(({ table, id, status, epoch }) => {
    if (table !== "Turn" || status !== "running" || known.has(`${id} ${epoch}`)) return false
    known.add(`${id} ${epoch}`)
    return true
  })
}

/** The worker that claimed a turn of the tree last, once there is one. */
export async function workerOf({ cluster, stored }: Round, sessionID: string): Promise<RigNode> {
  const claim = await until("a worker claims the turn", async () => claimsOf(await stored(sessionID)).at(-1))
  const workers = [...cluster.storage, cluster.lone]
  const found = workers.find(({ room }) => room.address === claim.host)
  if (found === undefined) throw new Error(`${claim.host}, which is no worker, claimed a turn`)
  return found
}

/** The first claim of a turn of the tree by somebody else than this worker. */
export function claimByOther({ stored }: Round, sessionID: string, { room }: RigNode): Promise<Stored> {
  return until("another worker claims the turn", async () =>
    claimsOf(await stored(sessionID)).find(({ host }) => host !== room.address),
  )
}

/** Resolves when the list of nodes has this many that give signs. */
export function nodesLive({ cluster }: Round, count: number): Promise<boolean> {
  return until(`${count} nodes are there`, async () => {
    const { nodes } = await cluster.client.nodes.list.query().catch(() => ({ nodes: [] }))
    return nodes.filter(({ state }) => state === "live").length >= count
  })
}
