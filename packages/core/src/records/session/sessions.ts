import { DocketError } from "../../ground/error/docket-error.ts"
import { missingSession } from "../../ground/error/missing-session.ts"
import type { Journal } from "../../ground/event/journal.ts"
import { firstDirectory } from "../../ground/git/repository-name.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { noTokens } from "../../ground/message/usage.ts"
import type {
  AwaitedHost,
  Caller,
  ChosenPreset,
  PermissionPreset,
  Project,
  Session,
  SessionVisibility,
} from "../../ground/schema/index.ts"
import { authorOf, changedSession, type SessionPatch, type Store } from "../../ground/store/index.ts"
import { readActivity } from "./session-activity.ts"
import type { SessionService, TreeSnapshot } from "./session-service.ts"
import { sessionStats } from "./session-stats.ts"
import { newSessionTitle } from "./session-title.ts"
import { typedTitle } from "./title-from.ts"
import { readTreePast } from "./tree-past.ts"

/** Messages in a page: by default, and at most. */
const pageSize = { default: 50, max: 2_000 }
/** Root sessions in a page: by default, and at most. */
const listSize = { default: 50, max: 200 }

/** The agent, model and variant of a session. Null means that the agent or the project decides. */
export type ModelSetting = Required<Pick<Session, "agent" | "model" | "variant">>

export interface SessionsDeps {
  store: Store
  journal: Journal
  createID: CreateId
  clock: () => number
  /** Checks that the agent exists and may lead a session, and gives the default when none is named. */
  leadAgent(project: Project, name: string | undefined): Promise<string>
  projectByID(id: string): Promise<Project>
  /** @throws provider_not_found, model_not_found, no_model_available; variant_not_found for the model that would run */
  checkModel(wanted: ModelSetting, project: Project): Promise<void>
  /** The visibility of a session when none is given. */
  usualVisibility(): SessionVisibility
  /** The host that the sessions of a project wait for, by its id. */
  awaited(): Promise<ReadonlyMap<string, AwaitedHost>>
}

export type Sessions = Omit<
  SessionService,
  | "create"
  | "createChild"
  | "fork"
  | "output"
  | "markRead"
  | "setPreset"
  | "setVisibility"
  | "start"
  | "remove"
  | "revert"
  | "unrevert"
> & {
  create(input: Parameters<SessionService["create"]>[0], by?: Caller): Promise<Session>
  markRead(id: string, at: number, by: Caller): Promise<Session>
  setPreset(id: string, preset: PermissionPreset | null, by: Caller): Promise<Session>
  setVisibility(id: string, visibility: SessionVisibility, by: Caller): Promise<Session>
  rootOf(id: string): Promise<string>
}

/** Reads sessions and makes simple changes. Changes that affect running turns are in the runtime. */
export function createSessions(deps: SessionsDeps): Sessions {
  const { store } = deps
  const get = async (id: string): Promise<Session> => {
    const session = await store.session.get(id)
    if (session === null) throw missingSession(id)
    return session
  }
  return {
    get,
    rootOf: async (id) => (await get(id)).rootID,
    create: (input, by) => createRoot(deps, input, by),
    list: (query) =>
      store.session.listRoots({
        projectID: query.projectID,
        search: query.search?.trim() || undefined,
        archived: query.archived ?? false,
        limit: Math.min(query.limit ?? listSize.default, listSize.max),
        cursor: query.cursor,
      }),
    async recent({ projectID, search, limit }) {
      const query = { projectID, search: search?.trim() || undefined, archived: false, limit }
      const { items } = await store.session.listRoots(query)
      const trees = items.map(({ session, children }) => (children === 0 ? [session] : store.session.tree(session.id)))
      return (await Promise.all(trees)).flat()
    },
    async working({ projectID }) {
      const [turns, tasks] = await Promise.all([store.turn.open(), store.task.open()])
      const open = [...turns, ...tasks.filter(({ state }) => state !== "awaiting_review")]
      if (open.length === 0) return []
      const [awaited, ...sessions] = await Promise.all([
        deps.awaited(),
        ...[...new Set(open.map(({ sessionID }) => sessionID))].map(store.session.get),
      ])
      return sessions
        .filter((session) => session !== null)
        .filter((session) => projectID === undefined || session.projectID === projectID)
        .map(({ id, rootID, projectID, status }) => {
          const waitsFor = awaited.get(projectID)
          return {
            ...{ sessionID: id, rootID, status },
            queued: turns.filter((turn) => turn.sessionID === id && turn.status === "queued").length,
            ...(waitsFor && { waitsFor }),
          }
        })
    },
    stats: (query, person) => sessionStats(deps, query, person),
    async tree(id): Promise<TreeSnapshot> {
      const { rootID } = await get(id)
      // Read first: later changes then arrive as events.
      const seq = (await store.feed.head(rootID)) ?? 0
      const [sessions, todos, permissions, turns, tasks] = await Promise.all([
        store.session.tree(rootID),
        store.todo.tree(rootID),
        store.permission.pending(rootID),
        store.turn.open({ rootID }),
        store.task.tree(rootID),
      ])
      return { seq, sessions, todos, permissions, turns, tasks }
    },
    work: async (id) => readActivity(store, (await get(id)).id),
    past: async (id) => readTreePast(store, (await get(id)).rootID),
    async children(id) {
      await get(id)
      return store.session.children(id)
    },
    setPreset: async (id, preset, by) => setPreset(deps, await get(id), { preset, by }),
    setVisibility: async (id, visibility, by) =>
      setVisibility(deps, await get((await get(id)).rootID), { visibility, by }),
    markRead: async (id, at, by) => markRead(deps, await get(id), { at, person: by.person }),
    update: async (id, patch) => updateSession(deps, await get(id), patch),
    async messages(query) {
      const { rootID } = await get(query.sessionID)
      const seq = (await store.feed.head(rootID)) ?? 0
      const limit = Math.min(query.limit ?? pageSize.default, pageSize.max)
      return { ...(await store.transcript.page({ ...query, limit })), seq }
    },
    async part(id) {
      const part = await store.transcript.part(id)
      if (part === null) throw new DocketError("message_not_found", `There is no part ${id}.`)
      return part
    },
  }
}

async function createRoot(
  deps: SessionsDeps,
  input: Parameters<Sessions["create"]>[0],
  by: Caller | undefined,
): Promise<Session> {
  const project = await deps.projectByID(input.projectID)
  const agent = await deps.leadAgent(project, input.agent)
  const setting: ModelSetting = { agent, model: input.model ?? null, variant: input.variant ?? null }
  if (setting.model !== null || setting.variant !== null) await deps.checkModel(setting, project)
  const now = deps.clock()
  const id = input.id ?? deps.createID("session")
  const session: Session = {
    id,
    projectID: project.id,
    parentID: null,
    rootID: id,
    depth: 0,
    directory: firstDirectory(project),
    title: typedTitle(input.title ?? "") || newSessionTitle(now),
    ...setting,
    permission: (input.deny ?? []).map((rule) => ({ ...rule, action: "deny" as const })),
    ...(input.tools && { tools: [input.tools] }),
    ...(input.preset && { preset: chosenPreset(input.preset, now, by) }),
    status: { type: "idle" },
    cost: 0,
    tokens: noTokens,
    origin: null,
    abortedAt: null,
    ...(by && { by }),
    ...(by && (input.visibility ?? deps.usualVisibility()) === "author" && { visibility: "author" as const }),
    time: { created: now, updated: now, archived: null },
  }
  await deps.journal.commit(
    id,
    [{ kind: "session", value: session }],
    input.id === undefined ? undefined : { fresh: id },
  )
  return session
}

async function updateSession(
  deps: SessionsDeps,
  session: Session,
  patch: Parameters<Sessions["update"]>[1],
): Promise<Session> {
  const change: SessionPatch = {}
  const title = typedTitle(patch.title ?? "")
  if (title) change.title = title
  if (patch.agent !== undefined) {
    change.agent = await deps.leadAgent(await deps.projectByID(session.projectID), patch.agent)
  }
  if (patch.model !== undefined || patch.variant !== undefined) {
    change.model = patch.model ?? session.model
    // Another model may not have this variant.
    change.variant = patch.variant ?? null
    const setting = { agent: change.agent ?? session.agent, model: change.model, variant: change.variant }
    await deps.checkModel(setting, await deps.projectByID(session.projectID))
  }
  if (patch.archived !== undefined) {
    change.time = { ...session.time, archived: patch.archived ? deps.clock() : null }
  }
  if (Object.keys(change).length === 0) return session
  await deps.journal.commit(session.rootID, [{ kind: "session.patch", sessionID: session.id, patch: change }])
  return { ...session, ...change }
}

async function setPreset(
  deps: Pick<SessionsDeps, "journal" | "clock">,
  session: Session,
  { preset: name, by }: { preset: PermissionPreset | null; by: Caller },
): Promise<Session> {
  const preset = name === null ? null : chosenPreset(name, deps.clock(), by)
  await deps.journal.commit(session.rootID, [{ kind: "session.patch", sessionID: session.id, patch: { preset } }])
  return { ...session, preset }
}

async function setVisibility(
  deps: Pick<SessionsDeps, "journal">,
  root: Session,
  { visibility, by }: { visibility: SessionVisibility; by: Caller },
): Promise<Session> {
  if (authorOf(root) !== by.person)
    throw new DocketError("invalid_input", "Only the person who started a session can choose who sees it.")
  if ((root.visibility ?? "workspace") === visibility) return root
  await deps.journal.commit(root.id, [{ kind: "session.patch", sessionID: root.id, patch: { visibility } }])
  return { ...root, visibility }
}

function chosenPreset(name: PermissionPreset, at: number, by: Caller | undefined): ChosenPreset {
  return { name, at, ...(by && { by }) }
}

async function markRead(
  deps: Pick<SessionsDeps, "journal">,
  session: Session,
  { at, person }: { at: number; person: string },
): Promise<Session> {
  // An end in the future cannot have been read yet, so limit `at`.
  const end = Math.min(at, session.ended?.at ?? 0)
  if (end <= (session.read?.[person] ?? 0)) return session
  const change = { kind: "session.read", sessionID: session.id, person, at: end } as const
  await deps.journal.commit(session.rootID, [change])
  return changedSession(session, change)
}
