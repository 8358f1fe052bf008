import type { CreateId } from "../../ground/id/create-id.ts"
import {
  changePermission,
  evaluateRequest,
  type Grant,
  type PermissionVerdict,
  refusedChange,
} from "../../ground/rule/evaluate.ts"
import { presetLabel } from "../../ground/rule/preset-labels.ts"
import { liftsForCommand, presetRules } from "../../ground/rule/presets.ts"
import type {
  PermissionMemory,
  PermissionMetadata,
  PermissionRequest,
  PermissionRuleset,
  Session,
  StandingGrant,
} from "../../ground/schema/index.ts"
import type { PermissionGrant, PermissionStore, SessionStore, StandingGrantStore } from "../../ground/store/index.ts"
import { PermissionDeniedError } from "./error.ts"

/** An extension's decision on a request: deny beats ask, ask beats allow. Null leaves it to rules and people. */
export type AskDecision = "allow" | "ask" | "deny" | null

/**
 * What rules and grants say of a request: they allow it; or a person is asked, by a rule of Docket itself (`unset`), by
 * a rule that people wrote (`asked`), or because nobody knows what it would deny (`held`).
 */
export type AskVerdict = "allow" | "unset" | "asked" | "held"

/** A permission request of a tool. `patterns` are judged one by one; `always` is what "always" would allow. */
export interface PermissionAsk {
  permission: string
  patterns: string[]
  always: string[]
  /** Patterns with words that are known only at run time: a preset lifts no denial that may apply to them. */
  unknown?: string[] | undefined
  /** The command that reads the requested files: "always" may allow the files to this command only. */
  command?: string | undefined
  /** Whether the sandbox certainly confines the command; absent for anything but a command in the sandbox. */
  isConfined?: (() => Promise<boolean>) | undefined
  /** A function is called only when a person is asked, so that its look-ups cost nothing when a rule decides. */
  metadata: PermissionMetadata | (() => Promise<PermissionMetadata>)
}

/** A request with the rules that apply to it. */
export interface JudgeInput {
  place: Pick<PermissionRequest, "rootID" | "sessionID">
  request: Pick<PermissionAsk, "permission" | "patterns" | "unknown" | "command" | "isConfined">
  /** The session's own rules, merged. */
  rules: PermissionRuleset
  /** The rules of each session above. */
  ceilings: PermissionRuleset[]
}

interface Judgement {
  verdict: PermissionVerdict
  /** The rulesets that were applied, including those of presets. */
  rulesets: [PermissionRuleset, ...PermissionRuleset[]]
}

/** Judges by the current rules, presets and grants. `given` are grants that may not be stored yet. */
export type Judge = (input: JudgeInput, given?: Given) => Promise<Judgement>

interface JudgeDeps {
  grants: Pick<Grants, "of">
  sessions: Pick<SessionStore, "get">
}

export function createJudge({ grants, sessions }: JudgeDeps): Judge {
  return async ({ place, request, rules, ceilings }, given) => {
    const lineage = await lineageOf(sessions, place.sessionID)
    const presets = presetRules(lineage)
    const above = [...ceilings, ...presets.ceilings]
    const rulesets = [rules, ...above] as const
    const { permission, patterns, unknown, command, isConfined = async () => false } = request
    const question = { permission, patterns, unknown, command, rules, ceilings: above }
    const byRules = evaluateRequest({ ...question, grants: [] })
    // Grants apply only to requests that the rules leave open, so they are read only for these.
    if (byRules.action !== "ask") return { verdict: byRules, rulesets: [...rulesets] }
    const isCommandLifted = permission === "bash" && presets.lifts.some((lift) => lift.permission === permission)
    const lifts = liftsForCommand(presets.lifts, { isConfined: isCommandLifted && (await isConfined()), rulesets })
    const all = [...(await grants.of(place, lineage, given)), ...lifts]
    return { verdict: evaluateRequest({ ...question, grants: all }), rulesets: [...rulesets] }
  }
}

/** A session and all sessions above it, nearest first. */
async function lineageOf(sessions: Pick<SessionStore, "get">, sessionID: string): Promise<Session[]> {
  const lineage: Session[] = []
  let next: string | null = sessionID
  while (next !== null) {
    const session: Session | null = await sessions.get(next)
    if (session === null) break
    lineage.push(session)
    next = session.parentID
  }
  return lineage
}

interface GrantsDeps {
  store: Pick<PermissionStore, "grants" | "addGrants">
  standing: Pick<StandingGrantStore, "of" | "put">
  sessions: Pick<SessionStore, "get">
  createID: CreateId
  clock: () => number
}

/** A place in a tree of sessions. */
type Place = Pick<PermissionRequest, "rootID" | "sessionID">

/** The grants of one answer: for its tree, or beyond it. */
interface Given {
  tree: PermissionGrant[]
  standing: StandingGrant | null
}

const nothing: Given = { tree: [], standing: null }

/** What people allowed with "always". */
export interface Grants {
  /**
   * The grants that apply in a session: the stored ones and `given`, which may not be stored yet.
   * @param lineage the session and all sessions above it, nearest first
   */
  of(place: Place, lineage: readonly Session[], given?: Given): Promise<Grant[]>
  /** The grants that the answer "always" to a request creates. */
  from(request: PermissionRequest): Promise<Given>
  add(given: Given): Promise<void>
}

export function createGrants({ store, standing, sessions, createID, clock }: GrantsDeps): Grants {
  const ofTree = async ({ rootID }: Place, lineage: readonly Session[], given: PermissionGrant[]): Promise<Grant[]> => {
    const all = [...(await store.grants(rootID)), ...given.filter((grant) => grant.rootID === rootID)]
    return all.filter(({ sessionID }) => sessionID === undefined || lineage.some(({ id }) => id === sessionID))
  }
  return {
    async of(place, lineage, given = nothing) {
      const projectID = lineage[0]?.projectID
      const beyond = projectID === undefined ? [] : await standing.of(projectID)
      const fresh = given.standing
      if (fresh !== null && (fresh.projectID === null || fresh.projectID === projectID)) beyond.push(fresh)
      return [...(await ofTree(place, lineage, given.tree)), ...beyond.flatMap(standingRules)]
    },
    async from(request) {
      const [root, session] = [await sessions.get(request.rootID), await sessions.get(request.sessionID)]
      const agent = session?.agent ?? root?.agent ?? ""
      const stamp = { createID, createdAt: clock(), agent }
      if (memoryOf(request).beyond === undefined || root === null)
        return { ...nothing, tree: treeGrants(stamp, request) }
      return { ...nothing, standing: standingGrant(stamp, request, root) }
    },
    async add({ tree, standing: beyond }) {
      if (tree.length > 0) await store.addGrants(tree)
      if (beyond !== null) await standing.put(beyond)
    },
  }
}

interface GrantStamp {
  createID: CreateId
  createdAt: number
  /** The agent that asked. */
  agent: string
}

function treeGrants({ createID, ...stamp }: GrantStamp, request: PermissionRequest): PermissionGrant[] {
  const { id: requestID, rootID, permission, by } = request
  const { patterns, sessionID } = memoryOf(request)
  const base = { rootID, permission, requestID, ...stamp, ...(sessionID !== null && { sessionID }), ...(by && { by }) }
  return patterns.map((pattern) => ({ id: createID("grant"), ...base, pattern }))
}

function standingGrant(
  { createID, createdAt, agent }: GrantStamp,
  request: PermissionRequest,
  root: Session,
): StandingGrant {
  const { rootID, sessionID, permission, by } = request
  const { patterns, beyond } = memoryOf(request)
  return {
    id: createID("grant"),
    projectID: beyond === "everywhere" ? null : root.projectID,
    permission,
    patterns,
    origin: { requestID: request.id, rootID, sessionID, title: root.title, agent },
    ...(by && { by }),
    time: { created: createdAt },
  }
}

function standingRules({ projectID, permission, patterns }: StandingGrant): Grant[] {
  const from = projectID === null ? "everywhere" : "project"
  return patterns.map((pattern) => ({ permission, pattern, from }))
}

/** Older rows do not store what was remembered: the patterns that were offered, in the whole tree. */
function memoryOf({ remembered, always }: PermissionRequest): PermissionMemory {
  return remembered ?? { patterns: always, sessionID: null }
}

export interface ChangesInput {
  sessionID: string
  /** The session's own rules, merged. */
  rules: PermissionRuleset
  /** The rules of each session above. */
  ceilings: readonly PermissionRuleset[]
  /** Commands that may change files. */
  commands: readonly string[]
}

const onlyReads = "here only commands run that are known to change nothing, such as ls, rg or git log"

/** @throws PermissionDeniedError when rules or the current presets allow only commands that change nothing */
export async function refuseChanges(
  sessions: Pick<SessionStore, "get">,
  { sessionID, rules, ceilings, commands }: ChangesInput,
): Promise<void> {
  const presets = presetRules(await lineageOf(sessions, sessionID))
  const refused = refusedChange(commands, [rules, ...ceilings, ...presets.ceilings])
  if (refused === null) return
  const { preset, mode } = refused.rule
  const why = preset === undefined ? onlyReads : `the session is set to “${presetLabel(preset)}”: ${onlyReads}`
  throw new PermissionDeniedError(changePermission, refused.command, { reason: why, mode })
}

export interface ClosedFilesInput {
  session: Pick<Session, "id" | "rootID">
  /** The session's own rules, merged. */
  rules: PermissionRuleset
  /** The rules of each session above. */
  ceilings: readonly PermissionRuleset[]
  /** Named as in tool calls. */
  files: readonly string[]
  /** The command that would read the files. */
  command: string
}

/** A file that a command may not read without permission; `mayAsk` says whether a person can give it. */
export interface ClosedFile {
  file: string
  mayAsk: boolean
}

/** Those of the files that a command may not read without permission, by the current rules, presets and grants. */
export async function closedFiles(
  { grants, sessions }: { grants: Pick<Grants, "of">; sessions: Pick<SessionStore, "get"> },
  { session, rules, ceilings, files, command }: ClosedFilesInput,
): Promise<ClosedFile[]> {
  if (files.length === 0) return []
  const lineage = await lineageOf(sessions, session.id)
  const above = [...ceilings, ...presetRules(lineage).ceilings]
  const allowed = await grants.of({ rootID: session.rootID, sessionID: session.id }, lineage)
  const question = { permission: "read", command, rules, ceilings: above, grants: allowed }
  return files.flatMap((file) => {
    const { action } = evaluateRequest({ ...question, patterns: [file] })
    return action === "allow" ? [] : [{ file, mayAsk: action === "ask" }]
  })
}
