import { setTimeout as delay } from "node:timers/promises"
import { toPrompt } from "../fake-provider/directive.ts"
import type { Stage } from "../measurement.ts"
import type { Entrance, Nodes } from "./open-nodes.ts"
import { createWatching, type Noticed } from "./open-watcher.ts"

/** How long everything takes between nodes that do nothing else (ms). */
export interface Latencies {
  /** From the acceptance of a prompt at a web node until a worker begins. */
  starts: number[]
  /** From the call with the prompt until the worker asks its model. */
  asks: number[]
  /** From each piece of text of the model until a reader at another web node has it. */
  text: number[]
  /** From each end of a call until a reader at another web node knows it. */
  rows: number[]
}

const rounds = 40
/** Between two turns, so that no turn finds its worker awake because of the one before (ms). */
const restMs = 300

export async function measureLatencies(nodes: Nodes, { provider }: Pick<Stage, "provider">): Promise<Latencies> {
  const noticed: Noticed = { text: [], rows: [], problems: [] }
  const [here, other] = nodes.entrances as [Entrance, Entrance]
  const [projectID = ""] = nodes.projects
  const { id: sessionID } = await here.client.session.create.mutate({ projectID })
  const watcher = await createWatching(nodes, noticed).watch(sessionID, other)
  const starts: number[] = []
  const asks: number[] = []
  const turn = async () => {
    const id = crypto.randomUUID()
    const call = { name: "read", args: { filePath: "notes.md" } }
    const text = toPrompt({ id, latency: 100, steps: 2, call, chunks: 10, every: 50 })
    const begun = Date.now()
    const { id: turnID } = await here.client.session.promptAsync.mutate({ sessionID, parts: [{ type: "text", text }] })
    const { status, time } = await watcher.ended(turnID)
    if (status !== "completed" || time.started === null) throw new Error(`a turn ${status}`)
    starts.push(time.started - time.created)
    asks.push((await provider.asked(id)) - begun)
    await delay(restMs)
  }
  // The first turns warm up the code of all nodes.
  for (let warm = 0; warm < 5; warm++) await turn()
  for (const values of [starts, asks, noticed.text, noticed.rows]) values.length = 0
  for (let round = 0; round < rounds; round++) await turn()
  watcher.close()
  if (noticed.problems.length > 0) throw new Error(noticed.problems.join(", "))
  return { starts, asks, text: noticed.text, rows: noticed.rows }
}
