import type { PermissionRequest, Session, Task, ToolPart, Turn } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"

/** How many of the newest answered requests of a session are searched for calls that have not continued. */
const latestAnswers = 100

/** What continues although its process has ended: calls that wait for a person, and everything that waits for them. */
export interface WaitingTurns {
  /** Ids of the turns. */
  turns: ReadonlySet<string>
  /** Ids of the tool parts whose calls are made again. */
  parts: ReadonlySet<string>
  /** Ids of the tasks that the turns work for. */
  tasks: ReadonlySet<string>
  /** The requests of the calls, with their answers. */
  requests: readonly PermissionRequest[]
}

type WaitingStore = Pick<Store, "session" | "transcript" | "permission" | "task">

/**
 * The turns among `running` that wait for a person, with all turns above that wait for their end: they continue where
 * they are. Does not include a turn whose call may have run.
 */
export async function findWaitingTurns(store: WaitingStore, running: readonly Turn[]): Promise<WaitingTurns> {
  const found = {
    turns: new Set<string>(),
    parts: new Set<string>(),
    tasks: new Set<string>(),
    requests: [] as PermissionRequest[],
  }
  const bySession = new Map(running.map((turn) => [turn.sessionID, turn]))
  for (const turn of running) {
    const calls = await waitingCalls(store, turn)
    const line = calls.length === 0 ? null : await lineAbove(store, turn, bySession)
    if (line === null) continue
    for (const { id } of [turn, ...line.turns]) found.turns.add(id)
    for (const { id } of [...calls.map(({ part }) => part), ...line.parts]) found.parts.add(id)
    for (const { id } of line.tasks) found.tasks.add(id)
    found.requests.push(...calls.flatMap(({ requests }) => requests))
  }
  return found
}

interface WaitingCall {
  part: ToolPart
  requests: PermissionRequest[]
}

/** The calls of a turn that have not continued after their last request, each with all its requests. */
async function waitingCalls(store: WaitingStore, turn: Turn): Promise<WaitingCall[]> {
  const parts = await runningCalls(store, turn.sessionID)
  if (parts.length === 0) return []
  const pending = (await store.permission.pending(turn.rootID)).filter(({ sessionID }) => sessionID === turn.sessionID)
  const answered = await store.permission.answered(turn.sessionID, latestAnswers)
  return parts.flatMap((part) => {
    const isOfCall = (request: PermissionRequest) =>
      request.callID === part.callID && request.messageID === part.messageID && request.status !== "expired"
    const requests = [...pending, ...answered].filter(isOfCall)
    return requests.some(isUntaken) ? [{ part, requests }] : []
  })
}

/** The call has not continued with the request's answer. */
function isUntaken({ status, taken }: PermissionRequest): boolean {
  return status === "pending" || taken !== true
}

async function runningCalls({ transcript }: WaitingStore, sessionID: string): Promise<ToolPart[]> {
  const parts = await transcript.openToolParts(sessionID)
  return parts.filter((part): part is ToolPart => part.type === "tool" && part.state.status === "running")
}

interface Line {
  turns: Turn[]
  parts: ToolPart[]
  tasks: Task[]
}

/** Everything that waits for a turn's end, up to the root or to a background task; null when something is missing. */
async function lineAbove(store: WaitingStore, turn: Turn, running: ReadonlyMap<string, Turn>): Promise<Line | null> {
  const line: Line = { turns: [], parts: [], tasks: [] }
  let session: Session | null = await store.session.get(turn.sessionID)
  while (session !== null && session.abortedAt === null) {
    if (session.parentID === null) return line
    const { id, parentID } = session
    const task = await store.task.byChild(id)
    if (task?.state !== "running") return null
    line.tasks.push(task)
    if (task.mode === "background") return line
    const above = running.get(parentID)
    const part = (await runningCalls(store, parentID)).find((call) => call.id === task.partID)
    if (above === undefined || part === undefined) return null
    line.turns.push(above)
    line.parts.push(part)
    session = await store.session.get(parentID)
  }
  return null
}
