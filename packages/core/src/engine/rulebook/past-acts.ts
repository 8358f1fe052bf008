import path from "node:path"
import { analyseScript } from "../../acts/tool/command-analysis.ts"
import { commandPatterns } from "../../acts/tool/command-patterns.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { isInquiry } from "../../ground/rule/index.ts"
import type { PermissionRequest, Session, ToolPart } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"

/** Something that an agent wanted to do, as far as it is stored. */
export interface PastAct {
  permission: string
  patterns: string[]
  session: Session
  /** Epoch ms. */
  at: number
  /** A person was asked; else it was allowed or refused without a question. */
  wasAsked: boolean
}

export interface PastActs {
  acts: PastAct[]
  /** Calls of which it is not known what they would ask for. */
  unknown: number
  /** There is more than was looked at. */
  more: boolean
}

/** Requests that are looked at, at most. */
const maxRequests = 1_000
/** Root sessions, messages of each session, and calls in all. */
const maxRoots = 50
const maxMessages = 200
const maxCalls = 2_000

type PastPorts = Pick<Store, "permission" | "session" | "transcript">

/** What agents asked for and did in a project since then, from its requests and the newest calls of its sessions. */
export async function pastActs(
  store: PastPorts,
  { projectID, worktree, since }: { projectID: string; worktree: string; since: number },
): Promise<PastActs> {
  const found: PastActs = { acts: [], unknown: 0, more: false }
  const requests = await store.permission.since({ projectID, since, limit: maxRequests + 1 })
  found.more = requests.length > maxRequests
  const asked = new Set(requests.map(({ sessionID, callID }) => `${sessionID} ${callID}`))
  const { items, cursor } = await store.session.listRoots({ projectID, archived: false, limit: maxRoots })
  found.more ||= cursor !== null
  const sessions = new Map<string, Session>()
  let calls = 0
  for (const { session: root } of items) {
    if (root.time.updated < since) continue
    for (const session of await store.session.tree(root.id)) {
      sessions.set(session.id, session)
      if (calls >= maxCalls) continue
      for (const call of await callsOf(store, session.id, since)) {
        if (++calls > maxCalls) break
        if (!asked.has(`${session.id} ${call.callID}`)) addCall(found, { call, session, worktree })
      }
    }
    // Others want to work as well.
    await new Promise((resolve) => setImmediate(resolve))
  }
  found.more ||= calls > maxCalls
  for (const request of requests.slice(0, maxRequests)) {
    const session = sessions.get(request.sessionID) ?? (await store.session.get(request.sessionID))
    if (session !== null) addRequest(found, request, session)
  }
  return found
}

/** Questions and plans ask for no right. */
function addRequest({ acts }: PastActs, { permission, patterns, metadata, time }: PermissionRequest, session: Session) {
  if (isInquiry(metadata) || permission.startsWith("plan_")) return
  acts.push({ permission, patterns, session, at: time.created, wasAsked: true })
}

async function callsOf({ transcript }: PastPorts, sessionID: string, since: number): Promise<ToolPart[]> {
  const { items } = await transcript.page({ sessionID, limit: maxMessages })
  return items
    .filter(({ info }) => info.time.created >= since)
    .flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
}

function addCall(found: PastActs, { call, session, worktree }: { call: ToolPart; session: Session; worktree: string }) {
  const { state, tool } = call
  // A call that never ran asked for nothing.
  if (state.status === "pending") return
  const asks = asksOf(tool, state.input, path.resolve(session.directory), worktree)
  if (asks === null) found.unknown += 1
  else found.acts.push({ ...asks, session, at: state.time.start, wasAsked: false })
}

/** What a call asks leave for by its own words: not the files that a command names, nor places outside the project. */
function asksOf(
  tool: string,
  input: unknown,
  directory: string,
  worktree: string,
): Pick<PastAct, "permission" | "patterns"> | null {
  const { command, filePath }: { command?: unknown; filePath?: unknown } = Object(input)
  if (tool === "bash" && typeof command === "string") {
    const { patterns } = commandPatterns(analyseScript(command))
    return { permission: "bash", patterns: patterns.length > 0 ? patterns : [command.trim()] }
  }
  if ((tool === "read" || tool === "edit" || tool === "write") && typeof filePath === "string") {
    const file = path.resolve(directory, filePath)
    if (!isWithin(worktree, file)) return null
    return { permission: tool === "read" ? "read" : "edit", patterns: [path.relative(worktree, file)] }
  }
  return null
}
