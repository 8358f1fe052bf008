import { evaluateRequest, mergeRules, rulesFromConfig } from "../../ground/rule/index.ts"
import type {
  Agent,
  PermissionAction,
  PermissionConfig,
  PermissionRuleset,
  Project,
  Session,
} from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { type PastAct, pastActs } from "./past-acts.ts"

/** What the rules would have said otherwise, the same act counted together. */
export interface HistoryChange {
  permission: string
  patterns: string[]
  /** Whether a person was asked then. */
  wasAsked: boolean
  now: PermissionAction
  times: number
  /** Where it was last. */
  sessionID: string
  rootID: string
  at: number
}

export interface JudgedHistory {
  /** How often people were asked, and how often they would have been. */
  asked: number
  wouldAsk: number
  /** How often an act would have been refused. */
  wouldRefuse: number
  /** Acts that were judged. */
  judged: number
  /** Calls of which it is not known what they would ask for, or whose agent is gone. */
  unknown: number
  /** There is more than was looked at. */
  more: boolean
  /** The most frequent first, at most 200. */
  changes: HistoryChange[]
}

export interface HistoryQuery {
  /** Epoch ms. */
  since: number
  permission: PermissionConfig
  /** Trees of which nothing counts. */
  isHidden?(rootID: string): boolean
}

export interface HistoryRules {
  project: Pick<Project, "id" | "worktree">
  agents: readonly Agent[]
  ceilingsOf(agent: string): PermissionRuleset[]
  home: string
}

const maxChanges = 200
/** Acts that are judged in one piece of work. */
const piece = 200

/**
 * What would have come of the acts since then, had these rules stood last in the user's own configuration. What was
 * answered with "always" is told by its silence: an act that the rules of today ask for and nobody was asked about.
 */
export async function judgeHistory(
  store: Pick<Store, "permission" | "session" | "transcript">,
  ruled: HistoryRules,
  { since, permission, isHidden = () => false }: HistoryQuery,
): Promise<JudgedHistory> {
  const { project, home } = ruled
  const past = await pastActs(store, { projectID: project.id, worktree: project.worktree, since })
  const acts = past.acts.filter(({ session }) => !isHidden(session.rootID))
  const typed = rulesFromConfig(permission, { home })
  const sum = { asked: 0, wouldAsk: 0, wouldRefuse: 0, judged: 0, unknown: past.unknown, more: past.more }
  const changes = new Map<string, HistoryChange>()
  for (const [index, act] of acts.entries()) {
    if (index % piece === piece - 1) await new Promise((resolve) => setImmediate(resolve))
    const [today, now] = [await verdict(store, ruled, act, []), await verdict(store, ruled, act, typed)]
    if (today === null || now === null) {
      sum.unknown += 1
      continue
    }
    sum.judged += 1
    if (act.wasAsked) sum.asked += 1
    const allowedForGood = !act.wasAsked && today === "ask"
    if (now === "ask" && !allowedForGood) sum.wouldAsk += 1
    if (now === "deny") sum.wouldRefuse += 1
    const isOther = act.wasAsked ? now !== "ask" : now !== today && !(allowedForGood && now === "allow")
    if (isOther) count(changes, act, now)
  }
  const listed = [...changes.values()].sort((a, b) => b.times - a.times || b.at - a.at)
  return { ...sum, changes: listed.slice(0, maxChanges) }
}

/** What rules say of an act, with `typed` after those for everyone. Null when its agent is gone. */
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

function count(changes: Map<string, HistoryChange>, act: PastAct, now: PermissionAction): void {
  const { permission, patterns, wasAsked, session, at } = act
  const key = JSON.stringify([permission, patterns, wasAsked, now])
  const known = changes.get(key)
  const times = (known?.times ?? 0) + 1
  if (known !== undefined && known.at > at) changes.set(key, { ...known, times })
  else
    changes.set(key, { permission, patterns, wasAsked, now, times, sessionID: session.id, rootID: session.rootID, at })
}
