import { createKeyedQueue, type InOrder } from "../../ground/concurrency/keyed-queue.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import { type FinalWrites, isRefusal } from "../../ground/event/final-writes.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { addUsage, noUsage, type Usage } from "../../ground/message/usage.ts"
import type { Caller, LeftFile, Project, Session, SessionRevert } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import type { MarkerFiles } from "../../records/session/marker-files.ts"
import { subtree } from "../../records/session/subtree.ts"
import type { TodoRewind } from "../../records/todo/rewind-list.ts"
import type { TodoChangeOrigin } from "../../records/todo/todo-service.ts"
import { workingProject } from "../../setup/project/working-project.ts"
import type { Snapshots } from "../snapshot/create-snapshots.ts"
import { moveReverted, prepareFiles } from "./undo-files.ts"
import { undonePart } from "./undone-part.ts"

export interface RevertsDeps {
  store: Store
  journal: Journal
  finalWrites: FinalWrites
  createID: CreateId
  clock: () => number
  snapshots: Snapshots
  todos: TodoRewind
  markers: MarkerFiles
  sessionByID(id: string): Promise<Session>
  projectByID(id: string): Promise<Project>
  /** Drops the cached transcript of a session. */
  forget(sessionID: string): void
  onError(error: unknown): void
}

/** Undo of a session's turns: conversation, todo list and files. Operations on one session run in order. */
export interface Reverts {
  /**
   * Undoes from a prompt on, or from the step of an answer that has the part `partID`.
   * @throws session_busy, message_not_found, invalid_input
   */
  undo(sessionID: string, from: UndoStart, by: Caller): Promise<Session>
  /** @throws session_busy, invalid_input when nothing is undone */
  redo(sessionID: string, by: Caller): Promise<{ session: Session; left: LeftFile[] }>
  /**
   * Mutations that remove the undone part for good: commit them with the next prompt, inside `inOrder`. `removed` are
   * the child sessions that they remove. @throws session_busy while one of them works
   */
  cleanup(session: Session): Promise<{ mutations: Mutation[]; removed: string[] }>
  /** Completes operations that a crash interrupted. Call it before anything runs. */
  recover(): Promise<void>
  inOrder: InOrder
}

/** Where an undo starts: at a prompt, or at the step of an answer that has the part. */
interface UndoStart {
  messageID: string
  partID?: string | undefined
}

/** Only people undo. */
const byUser: TodoChangeOrigin = { actor: { kind: "user", name: "user" } }

export function createReverts(deps: RevertsDeps): Reverts {
  const inOrder = createKeyedQueue()
  const finishBegun = (sessionID: string) =>
    inOrder(sessionID, async () => {
      const session = await deps.store.session.get(sessionID)
      if (session !== null) await settle(deps, session)
    })
  /** Runs an operation. If it fails after it was stored as started, it is completed once the store works again. */
  const toEnd = async <T>(sessionID: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await inOrder(sessionID, work)
    } catch (error) {
      // After another failure, the next prompt, redo or start tries again.
      if (!isRefusal(error)) deps.finalWrites.store({ rootID: sessionID }, () => finishBegun(sessionID)).catch(() => {})
      throw error
    }
  }
  return {
    inOrder,
    undo: (sessionID, from, by) => toEnd(sessionID, () => undo(deps, { sessionID, from, by })),
    redo: (sessionID, by) =>
      toEnd(sessionID, async () => {
        const session = await idleRoot(deps, sessionID)
        if (!session.revert) throw new DocketError("invalid_input", "Nothing is undone in this session.")
        return redo(deps, session, { ...session.revert, by })
      }),
    cleanup: (session) => cleanup(deps, session),
    async recover() {
      for (const sessionID of await deps.markers.list()) {
        try {
          const session = await deps.store.session.get(sessionID)
          if (session !== null) await settle(deps, session)
          await deps.markers.remove(sessionID)
        } catch (error) {
          // The next prompt, redo or start tries again. One project must not keep all others from starting.
          deps.onError(error)
        }
      }
    },
  }
}

async function undo(
  deps: RevertsDeps,
  { sessionID, from, by }: { sessionID: string; from: UndoStart; by: Caller },
): Promise<Session> {
  const found = await idleRoot(deps, sessionID)
  const start = await firstUndone(deps.store, sessionID, from)
  const { messageID } = start
  // An undo to another message first restores everything, then undoes from there.
  const session = found.revert ? (await redo(deps, found, { ...found.revert, by })).session : found
  const mark = deps.createID("todoChange")
  const undoneSessions = await undonePart(deps.store, session, { messageID, until: mark })
  const files = await prepareFiles(deps, await projectOf(deps, session), undoneSessions)
  const children = undoneSessions.filter((undone) => undone.whole && undone.session.time.archived === null)
  const at = deps.clock()
  const revert: SessionRevert = {
    ...start,
    messages: undoneSessions[0]?.messages.length ?? 0,
    mark,
    at,
    by,
    children: children.map((child) => child.session.id),
    files,
  }
  if (files.state === "undoing") await deps.markers.add(sessionID)
  await deps.todos.rewind(sessionID, messageID, { ...byUser, by }, [
    { kind: "session.patch", sessionID, patch: { revert } },
    ...children.map((child) => archived(child.session, at)),
  ])
  return settle(deps, { ...session, revert })
}

/** The project where the session works. */
async function projectOf(deps: Pick<RevertsDeps, "projectByID">, session: Session): Promise<Project> {
  return workingProject(session, await deps.projectByID(session.projectID))
}

async function redo(deps: RevertsDeps, session: Session, revert: SessionRevert) {
  const { before, after } = revert.files
  if (before === after) return { session: await concludeRedo(deps, session, revert), left: [] }
  await deps.markers.add(session.id)
  const begun: SessionRevert = { ...revert, files: { ...revert.files, state: "redoing" } }
  await patch(deps, session, begun)
  const files = await moveReverted(deps, await projectOf(deps, session), begun.files)
  const redone = await concludeRedo(deps, session, revert)
  await deps.markers.remove(session.id)
  return { session: redone, left: files.left }
}

/** Completes an operation that was stored as started. */
async function settle(deps: RevertsDeps, session: Session): Promise<Session> {
  const { revert } = session
  if (!revert || (revert.files.state !== "undoing" && revert.files.state !== "redoing")) return session
  const files = await moveReverted(deps, await projectOf(deps, session), revert.files)
  const isRedo = revert.files.state === "redoing"
  const done = isRedo ? await concludeRedo(deps, session, revert) : await patch(deps, session, { ...revert, files })
  await deps.markers.remove(session.id)
  return done
}

async function patch(deps: RevertsDeps, session: Session, revert: SessionRevert): Promise<Session> {
  await deps.journal.commit(session.rootID, [{ kind: "session.patch", sessionID: session.id, patch: { revert } }])
  return { ...session, revert }
}

async function concludeRedo(deps: RevertsDeps, session: Session, revert: SessionRevert): Promise<Session> {
  const children = await Promise.all(revert.children.map((id) => deps.store.session.get(id)))
  await deps.todos.rewind(session.id, revert.mark, { ...byUser, by: revert.by }, [
    { kind: "session.patch", sessionID: session.id, patch: { revert: null } },
    ...children.flatMap((child) => (child?.time.archived === revert.at ? [archived(child, null)] : [])),
  ])
  return { ...session, revert: null }
}

async function cleanup(deps: RevertsDeps, given: Session): ReturnType<Reverts["cleanup"]> {
  const session = await settle(deps, given)
  const { revert } = session
  if (!revert) return { mutations: [], removed: [] }
  const undoneSessions = await undonePart(deps.store, session, { messageID: revert.messageID, until: revert.mark })
  const whole = new Set(undoneSessions.filter((undone) => undone.whole).map((undone) => undone.session.id))
  // A removed child takes everything under it along.
  const tops = undoneSessions.filter(({ session: { id, parentID } }) => whole.has(id) && !whole.has(parentID ?? ""))
  const tree = await deps.store.session.tree(session.rootID)
  const removed = tops.flatMap((undone) => subtree(tree, undone.session.id).map(({ id }) => id))
  await requireIdle(deps.store, session, new Set([...removed, ...undoneSessions.map((undone) => undone.session.id)]))
  for (const undone of undoneSessions) deps.forget(undone.session.id)
  const mutations: Mutation[] = [
    ...undoneSessions
      .filter((undone) => !undone.whole)
      .flatMap(({ session: { id }, messages }) =>
        messages.map(({ info }): Mutation => ({ kind: "message.remove", sessionID: id, messageID: info.id })),
      ),
    // The transcripts that runtimes cache are invalid now.
    ...undoneSessions
      .filter((undone) => !undone.whole)
      .map(({ session: { id } }): Mutation => ({ kind: "session.patch", sessionID: id, patch: { writtenBy: null } })),
    ...tops.map((undone): Mutation => ({ kind: "session.remove", sessionID: undone.session.id })),
    { kind: "session.patch", sessionID: session.id, patch: { revert: null } },
    ...movedUsage(session, tree, removed),
  ]
  return { mutations, removed }
}

/** The usage of removed subagents was paid: it moves to the session's own totals. */
function movedUsage(session: Session, tree: Session[], removed: string[]): Mutation[] {
  const gone = new Set(removed)
  const used = tree.filter(({ id }) => gone.has(id)).reduce<Usage>(addUsage, noUsage)
  return gone.size === 0 ? [] : [{ kind: "session.used", sessionID: session.id, used }]
}

/** A person may have prompted an undone subagent meanwhile: its session must not be removed while it works. */
async function requireIdle(store: Store, { rootID }: Session, sessionIDs: Set<string>): Promise<void> {
  const open = await store.turn.open({ rootID })
  if (!open.some((turn) => sessionIDs.has(turn.sessionID))) return
  throw new DocketError("session_busy", "A subagent of the undone part works. Stop it or wait for its end, then send.")
}

function archived(session: Session, at: number | null): Mutation {
  return { kind: "session.patch", sessionID: session.id, patch: { time: { ...session.time, archived: at } } }
}

async function idleRoot(deps: RevertsDeps, sessionID: string): Promise<Session> {
  const session = await deps.sessionByID(sessionID)
  if (session.parentID !== null) {
    throw new DocketError(
      "invalid_input",
      "A subagent's work is undone with the prompt that caused it. Undo in the session at the top.",
    )
  }
  const [turns, tasks] = await Promise.all([
    deps.store.turn.open({ rootID: sessionID }),
    deps.store.task.open(sessionID),
  ])
  if (turns.length + tasks.length === 0) return session
  throw new DocketError("session_busy", "The session is working. Stop it or wait for its end, then undo.")
}

/** The first message that an undo takes back. Files and todos are known by the step, so a step goes as a whole. */
async function firstUndone(store: Store, sessionID: string, { messageID, partID }: UndoStart) {
  const { items } = await store.transcript.page({ sessionID, around: messageID, limit: 1 })
  const message = items.find(({ info }) => info.id === messageID)
  if (message === undefined) {
    throw new DocketError("message_not_found", `There is no message ${messageID} in this session.`)
  }
  if (partID !== undefined && !message.parts.some(({ id }) => id === partID)) {
    // In the words for a part that the caller may not see, which must not be told from one that does not exist.
    throw new DocketError("message_not_found", `There is no part ${partID}.`)
  }
  if (message.info.role === "user") return { messageID }
  if (partID === undefined) {
    throw new DocketError(
      "invalid_input",
      "Undo starts at a prompt, or at a part of an answer. Name a message of the user, or a part too.",
    )
  }
  // A prompt that has no step of its answer left goes too.
  const before = await store.transcript.page({ sessionID, before: messageID, limit: 1 })
  const last = before.items.at(-1)?.info
  return last?.role === "user" ? { messageID: last.id } : { messageID, partID }
}
