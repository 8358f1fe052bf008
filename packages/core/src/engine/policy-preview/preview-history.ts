import path from "node:path"
import { analyseScript } from "../../acts/tool/command-analysis.ts"
import { commandPatterns } from "../../acts/tool/command-patterns.ts"
import { namedPaths } from "../../acts/tool/named-paths.ts"
import { createYield } from "../../ground/concurrency/yield-to-event-loop.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { evaluateRequest, isInquiry, mergeRules, rulesFromConfig } from "../../ground/rule/index.ts"
import type {
  Agent,
  PermissionAction,
  PermissionConfig,
  PermissionRequest,
  PermissionRuleset,
  Project,
  Session,
  ToolPart,
} from "../../ground/schema/index.ts"
import { changesFiles } from "../../ground/schema/read-tool-call.ts"
import type { Store } from "../../ground/store/index.ts"

/** An act that new rules would decide differently; equal acts are counted together. */
export interface HistoryChange {
  permission: string
  patterns: string[]
  /** Whether a user was asked at that time. */
  wasAsked: boolean
  /** What the new rules decide. */
  now: PermissionAction
  times: number
  /** The session in which it happened last. */
  sessionID: string
  rootID: string
  at: number
}

export interface PreviewedHistory {
  /** How often users were asked, and how often they would be asked by the new rules. */
  asked: number
  wouldAsk: number
  /** How often the new rules would refuse an act. */
  wouldRefuse: number
  /** Acts that were judged. */
  judged: number
  /** Calls whose permissions are unknown, or whose agent no longer exists. */
  unknown: number
  /** There are more acts than were examined. */
  more: boolean
  /** The most frequent first, at most 200. */
  changes: HistoryChange[]
}

export interface HistoryQuery {
  /** Epoch ms. */
  since: number
  permission: PermissionConfig
  /** Whether to ignore a tree of sessions. */
  isHidden?(rootID: string): boolean
}

interface HistoryRules {
  project: Pick<Project, "id" | "worktree">
  agents: readonly Agent[]
  ceilingsOf(agent: string): PermissionRuleset[]
  home: string
}

const maxChanges = 200

/**
 * What would have happened to the acts since then if these rules came last in the user's own configuration. A missing
 * request shows that "always" applied: today's rules ask for the act, but nobody was asked.
 */
export async function previewHistory(
  store: Pick<Store, "permission" | "session" | "transcript">,
  ruled: HistoryRules,
  { since, permission, isHidden = () => false }: HistoryQuery,
): Promise<PreviewedHistory> {
  const { project, home } = ruled
  const past = await pastActs(store, { projectID: project.id, worktree: project.worktree, since })
  const acts = past.acts.filter(({ session }) => !isHidden(session.rootID))
  const typed = rulesFromConfig(permission, { home })
  const sum = { asked: 0, wouldAsk: 0, wouldRefuse: 0, judged: 0, unknown: past.unknown, more: past.more }
  const changes = new Map<string, HistoryChange>()
  const yieldToEventLoop = createYield()
  for (const act of acts) {
    await yieldToEventLoop()
    const [today, now] = [await verdict(store, ruled, act, []), await verdict(store, ruled, act, typed)]
    if (today === null || now === null) {
      sum.unknown += 1
      continue
    }
    sum.judged += 1
    if (act.wasAsked) sum.asked += 1
    const wasGranted = !act.wasAsked && today === "ask"
    if (now === "ask" && !wasGranted) sum.wouldAsk += 1
    if (now === "deny") sum.wouldRefuse += 1
    const isOther = act.wasAsked ? now !== "ask" : now !== today && !(wasGranted && now === "allow")
    if (isOther) countChange(changes, act, now)
  }
  const listed = [...changes.values()].sort((a, b) => b.times - a.times || b.at - a.at)
  return { ...sum, changes: listed.slice(0, maxChanges) }
}

/** The decision of the rules, with `typed` placed after those for everyone. Null when the agent no longer exists. */
async function verdict(
  store: Pick<Store, "session">,
  { agents, ceilingsOf }: HistoryRules,
  { permission, patterns, session }: PastAct,
  typed: PermissionRuleset,
): Promise<PermissionAction | null> {
  const rulesOf = ({ agent: name, permission: own }: Session) => {
    const agent = agents.find((candidate) => candidate.name === name)
    return agent && { rules: mergeRules(agent.permission, typed, own), limits: ceilingsOf(name) }
  }
  const first = rulesOf(session)
  if (first === undefined) return null
  const ceilings = [...first.limits]
  let { parentID } = session
  while (parentID !== null) {
    const parent: Session | null = await store.session.get(parentID)
    if (parent === null) break
    const above = rulesOf(parent)
    if (above !== undefined) ceilings.push(above.rules, ...above.limits)
    parentID = parent.parentID
  }
  return evaluateRequest({ permission, patterns, rules: first.rules, ceilings, grants: [] }).action
}

function countChange(changes: Map<string, HistoryChange>, act: PastAct, now: PermissionAction): void {
  const { permission, patterns, wasAsked, session, at } = act
  const key = JSON.stringify([permission, patterns, wasAsked, now])
  const known = changes.get(key)
  const times = (known?.times ?? 0) + 1
  if (known !== undefined && known.at > at) changes.set(key, { ...known, times })
  else
    changes.set(key, { permission, patterns, wasAsked, now, times, sessionID: session.id, rootID: session.rootID, at })
}

/** An act that an agent wanted to do, as far as it is stored. */
interface PastAct {
  permission: string
  patterns: string[]
  session: Session
  /** Epoch ms. */
  at: number
  /** True when a user was asked; false when it was allowed or refused without asking. */
  wasAsked: boolean
}

interface PastActs {
  acts: PastAct[]
  /** Calls whose permissions are unknown. */
  unknown: number
  /** There are more acts than were examined. */
  more: boolean
}

/** Most requests that are examined. */
const maxRequests = 1_000
/** Most root sessions, messages per session, and calls in total. */
const maxRoots = 50
const maxMessages = 200
const maxCalls = 2_000

type PastPorts = Pick<Store, "permission" | "session" | "transcript">

/**
 * What agents asked for and did in a project since then, taken from its requests and the newest calls of its sessions.
 */
async function pastActs(
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
  const yieldToEventLoop = createYield()
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
    await yieldToEventLoop()
  }
  found.more ||= calls > maxCalls
  for (const request of requests.slice(0, maxRequests)) {
    const session = sessions.get(request.sessionID) ?? (await store.session.get(request.sessionID))
    if (session !== null) addRequest(found, request, session)
  }
  return found
}

/** Questions and plans ask for no permission. */
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
  // A call that never ran asked for no permission.
  if (state.status === "pending") return
  const asks = asksOf(tool, state.input, path.resolve(session.directory), worktree)
  if (asks === null) found.unknown += 1
  else found.acts.push({ ...asks, session, at: state.time.start, wasAsked: false })
}

/**
 * The permissions that a call's own input asks for, without files named in a command and places outside the project.
 */
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
  if (tool !== "read" && !changesFiles(tool)) return null
  const files = (tool === "read" && typeof filePath === "string" ? [filePath] : namedPaths(tool, input)).map((name) =>
    path.resolve(directory, name),
  )
  if (files.length === 0 || !files.every((file) => isWithin(worktree, file))) return null
  return {
    permission: tool === "read" ? "read" : "edit",
    patterns: files.map((file) => path.relative(worktree, file)),
  }
}
