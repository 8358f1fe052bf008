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

/** What an extension says of a question: deny wins over ask, ask over allow; null leaves it to rules and people. */
export type AskDecision = "allow" | "ask" | "deny" | null

/** What a tool asks leave for. `patterns` are judged one by one; `always` is what "always" would allow. */
export interface PermissionAsk {
  permission: string
  patterns: string[]
  always: string[]
  /** Those of the patterns some of whose words are known only when it runs: a preset lifts no denial that may speak of them. */
  unknown?: string[] | undefined
  /** The command that is to read the files that are asked for: "always" may allow it to that command alone. */
  command?: string | undefined
  /** Whether the sandbox surely holds the command that is asked for; left out for what is no command in it. */
  isHeld?: (() => Promise<boolean>) | undefined
  /** A function is called when somebody is asked: what it looks up costs nothing where a rule answers. */
  metadata: PermissionMetadata | (() => Promise<PermissionMetadata>)
}

/** What is judged, and by which rules. */
export interface JudgeInput {
  place: Pick<PermissionRequest, "rootID" | "sessionID">
  request: Pick<PermissionAsk, "permission" | "patterns" | "unknown" | "command" | "isHeld">
  /** The session's own rules, merged. */
  rules: PermissionRuleset
  /** The rules of each session above it. */
  ceilings: PermissionRuleset[]
}

interface Judgement {
  verdict: PermissionVerdict
  /** Those that were asked, the presets' among them. */
  rulesets: [PermissionRuleset, ...PermissionRuleset[]]
}

/** Judges by rules, presets and grants, as they are now. `given` may not be stored yet. */
export type Judge = (input: JudgeInput, given?: Given) => Promise<Judgement>

interface JudgeDeps {
  grants: Pick<Grants, "of">
  sessions: Pick<SessionStore, "get">
}

export function createJudge({ grants, sessions }: JudgeDeps): Judge {
  return async ({ place, request, rules, ceilings }, given) => {
    const line = await lineOf(sessions, place.sessionID)
    const presets = presetRules(line)
    const above = [...ceilings, ...presets.ceilings]
    const rulesets = [rules, ...above] as const
    const { permission, patterns, unknown, command, isHeld = async () => false } = request
    const question = { permission, patterns, unknown, command, rules, ceilings: above }
    const byRules = evaluateRequest({ ...question, grants: [] })
    // Grants only answer what the rules leave open, so they are read for nothing else.
    if (byRules.action !== "ask") return { verdict: byRules, rulesets: [...rulesets] }
    const isCommandLifted = permission === "bash" && presets.lifts.some((lift) => lift.permission === permission)
    const lifts = liftsForCommand(presets.lifts, { isHeld: isCommandLifted && (await isHeld()), rulesets })
    const all = [...(await grants.of(place, line, given)), ...lifts]
    return { verdict: evaluateRequest({ ...question, grants: all }), rulesets: [...rulesets] }
  }
}

/** A session and all above it, the nearest first. */
async function lineOf(sessions: Pick<SessionStore, "get">, sessionID: string): Promise<Session[]> {
  const line: Session[] = []
  let next: string | null = sessionID
  while (next !== null) {
    const session: Session | null = await sessions.get(next)
    if (session === null) break
    line.push(session)
    next = session.parentID
  }
  return line
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

/** What one answer allows: in its tree, or beyond it. */
interface Given {
  tree: PermissionGrant[]
  standing: StandingGrant | null
}

const nothing: Given = { tree: [], standing: null }

/** What people allowed for good. */
export interface Grants {
  /**
   * What counts in a session: of what is stored and of `given`, which may not be stored yet.
   * @param line the session and all above it, the nearest first
   */
  of(place: Place, line: readonly Session[], given?: Given): Promise<Grant[]>
  /** What the answer "always" to a request allows. */
  from(request: PermissionRequest): Promise<Given>
  add(given: Given): Promise<void>
}

export function createGrants({ store, standing, sessions, createID, clock }: GrantsDeps): Grants {
  const ofTree = async ({ rootID }: Place, line: readonly Session[], given: PermissionGrant[]): Promise<Grant[]> => {
    const all = [...(await store.grants(rootID)), ...given.filter((grant) => grant.rootID === rootID)]
    return all.filter(({ sessionID }) => sessionID === undefined || line.some(({ id }) => id === sessionID))
  }
  return {
    async of(place, line, given = nothing) {
      const projectID = line[0]?.projectID
      const beyond = projectID === undefined ? [] : await standing.of(projectID)
      const fresh = given.standing
      if (fresh !== null && (fresh.projectID === null || fresh.projectID === projectID)) beyond.push(fresh)
      return [...(await ofTree(place, line, given.tree)), ...beyond.flatMap(standingRules)]
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
  /** Who asked. */
  agent: string
}

function treeGrants({ createID, ...stamp }: GrantStamp, request: PermissionRequest): PermissionGrant[] {
  const { id: requestID, rootID, permission, by } = request
  const { patterns, sessionID } = memoryOf(request)
  const said = { rootID, permission, requestID, ...stamp, ...(sessionID !== null && { sessionID }), ...(by && { by }) }
  return patterns.map((pattern) => ({ id: createID("grant"), ...said, pattern }))
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

/** Rows of before did not say what was remembered: what was offered, in the whole tree. */
function memoryOf({ remembered, always }: PermissionRequest): PermissionMemory {
  return remembered ?? { patterns: always, sessionID: null }
}

export interface ChangesInput {
  sessionID: string
  /** The session's own rules, merged. */
  rules: PermissionRuleset
  /** The rules of each session above it. */
  ceilings: readonly PermissionRuleset[]
  /** Commands that may change something. */
  commands: readonly string[]
}

const onlyReads = "here only commands run that are known to change nothing, such as ls, rg or git log"

/** @throws PermissionDeniedError where only commands that read are run, by rules or by a preset as it is now */
export async function refuseChanges(
  sessions: Pick<SessionStore, "get">,
  { sessionID, rules, ceilings, commands }: ChangesInput,
): Promise<void> {
  const presets = presetRules(await lineOf(sessions, sessionID))
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
  /** The rules of each session above it. */
  ceilings: readonly PermissionRuleset[]
  /** As tools name them. */
  files: readonly string[]
  /** The command that would read them. */
  command: string
}

/** A file that a command may not read without leave; `mayAsk` says whether a person could give it. */
export interface ClosedFile {
  file: string
  mayAsk: boolean
}

/** Those of some files that a command may not read without leave, by rules, presets and grants as they are now. */
export async function closedFiles(
  { grants, sessions }: { grants: Pick<Grants, "of">; sessions: Pick<SessionStore, "get"> },
  { session, rules, ceilings, files, command }: ClosedFilesInput,
): Promise<ClosedFile[]> {
  if (files.length === 0) return []
  const line = await lineOf(sessions, session.id)
  const above = [...ceilings, ...presetRules(line).ceilings]
  const allowed = await grants.of({ rootID: session.rootID, sessionID: session.id }, line)
  const question = { permission: "read", command, rules, ceilings: above, grants: allowed }
  return files.flatMap((file) => {
    const { action } = evaluateRequest({ ...question, patterns: [file] })
    return action === "allow" ? [] : [{ file, mayAsk: action === "ask" }]
  })
}
