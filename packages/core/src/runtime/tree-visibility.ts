import { DocketError, type DocketErrorCode } from "../ground/error/docket-error.ts"
import { missingSessionText } from "../ground/error/missing-session-text.ts"
import type { Store } from "../ground/store/index.ts"
import { findTodo } from "../records/todo/dependencies.ts"
import type { HiddenTrees, PrivateTrees } from "./private-trees.ts"

type Ref = string | number

/** Finds the tree of an object by its id, and the error for a missing object. */
interface Found {
  rootOf(store: Store, ref: Ref): Promise<string | null>
  missing(ref: Ref): [DocketErrorCode, string]
}

const rootOfSession = async ({ session }: Store, id: string | null | undefined): Promise<string | null> =>
  id ? ((await session.get(id))?.rootID ?? null) : null

const found = {
  session: {
    rootOf: (store, id) => rootOfSession(store, String(id)),
    missing: (id) => ["session_not_found", missingSessionText(String(id))],
  },
  part: {
    rootOf: async (store, id) => rootOfSession(store, (await store.transcript.part(String(id)))?.sessionID),
    missing: (id) => ["message_not_found", `There is no part ${id}.`],
  },
  message: {
    async rootOf(store, id) {
      const { messages } = await store.transcript.named({ messageIDs: [String(id)], partIDs: [] })
      return rootOfSession(store, messages[0]?.sessionID)
    },
    missing: (id) => ["message_not_found", `There is no message ${id}.`],
  },
  turn: {
    rootOf: async ({ turn }, id) => (await turn.get(String(id)))?.rootID ?? null,
    missing: (id) => ["turn_not_found", `There is no turn ${id}.`],
  },
  task: {
    rootOf: async ({ task }, id) => (await task.get(String(id)))?.rootID ?? null,
    missing: (id) => ["task_not_found", `There is no task ${id}.`],
  },
  request: {
    rootOf: async ({ permission }, id) => (await permission.get(String(id)))?.rootID ?? null,
    missing: (id) => ["permission_request_not_found", `There is no permission request ${id}.`],
  },
  todo: {
    rootOf: async (store, ref) => rootOfSession(store, (await findTodo(store.todo, ref))?.sessionID),
    missing(ref) {
      const name = typeof ref === "number" ? `#${ref}` : ref
      return ["todo_not_found", `There is no todo ${name}. List the todos to see their numbers.`]
    },
  },
  memory: {
    async rootOf(store, ref) {
      const memory = typeof ref === "number" ? store.memory.byNumber(ref) : store.memory.get(ref)
      return rootOfSession(store, (await memory)?.sessionID)
    },
    missing(ref) {
      const name = typeof ref === "number" ? `#${ref}` : ref
      return ["memory_not_found", `There is no memory ${name}, or it no longer holds.`]
    },
  },
  schedule: {
    async rootOf(store, ref) {
      const schedule = typeof ref === "number" ? store.schedule.byNumber(ref) : store.schedule.get(ref)
      return rootOfSession(store, (await schedule)?.sessionID)
    },
    missing: (ref) => ["schedule_not_found", `There is no schedule ${typeof ref === "number" ? "#" : ""}${ref}.`],
  },
  delivery: {
    rootOf: async ({ webhook }, id) => (await webhook.delivery(String(id)))?.rootID ?? null,
    missing: (id) => ["delivery_not_found", `There is no delivery ${id}.`],
  },
  thread: {
    rootOf: async ({ review }, id) => (await review.thread(String(id)))?.rootID ?? null,
    missing: (id) => ["thread_not_found", `There is no thread ${id}.`],
  },
  comment: {
    rootOf: async ({ review }, id) => (await review.comment(String(id)))?.rootID ?? null,
    missing: (id) => ["comment_not_found", `There is no comment ${id}.`],
  },
  draft: {
    rootOf: async ({ review }, id) => (await review.draft(String(id)))?.rootID ?? null,
    missing: (id) => ["comment_not_found", `There is no draft ${id}.`],
  },
  verdict: {
    rootOf: async ({ review }, id) => (await review.verdict(String(id)))?.rootID ?? null,
    missing: (id) => ["verdict_not_found", `There is no verdict ${id}.`],
  },
  share: {
    rootOf: async ({ share }, id) => (await share.get(String(id)))?.rootID ?? null,
    missing: (id) => ["share_not_found", `There is no share ${id}.`],
  },
} as const satisfies Record<string, Found>

type ObjectKind = keyof typeof found

/** An object that may belong to a tree. */
export interface SeenRef {
  kind: ObjectKind
  ref: Ref
}

/** The root of the tree that the object belongs to; null when there is no such object, or it belongs to none. */
export function rootOfSeen(store: Store, { kind, ref }: SeenRef): Promise<string | null> {
  return found[kind].rootOf(store, ref)
}

/** Which trees of a workspace a caller sees. */
export interface TreeVisibility {
  hidden(): Promise<HiddenTrees>
  /** The same, for an event from the bus. */
  hiddenFromSubscriber(): HiddenTrees | Promise<HiddenTrees>
  /**
   * Does nothing when the caller sees the object or it does not exist: the use case reports a missing object itself.
   * @throws as for a missing object
   */
  check(kind: ObjectKind, ref: Ref): Promise<void>
  /** Also true for a missing object. */
  sees(kind: ObjectKind, ref: Ref): Promise<boolean>
  /** Those of the objects that belong to hidden trees. */
  hiddenAmong(refs: Iterable<SeenRef>): Promise<ReadonlySet<SeenRef>>
  /** Those of the sessions that belong to hidden trees. */
  hiddenSessions(ids: readonly (string | null)[]): Promise<ReadonlySet<string>>
}

export function createTreeVisibility(deps: { store: Store; trees: PrivateTrees }, person: string): TreeVisibility {
  const { store, trees } = deps
  const hidden = () => trees.hiddenFrom(person)
  const sees = async (kind: ObjectKind, ref: Ref): Promise<boolean> => {
    const hiddenTrees = await hidden()
    const rootID = hiddenTrees.isEmpty ? null : await found[kind].rootOf(store, ref)
    return rootID === null || !hiddenTrees.has(rootID)
  }
  return {
    hidden,
    hiddenFromSubscriber: () => trees.hiddenFromSubscriber(person),
    sees,
    async check(kind, ref) {
      const { missing }: Found = found[kind]
      if (!(await sees(kind, ref))) throw new DocketError(...missing(ref))
    },
    async hiddenAmong(refs) {
      const hiddenTrees = await hidden()
      const hiddenRefs = new Set<SeenRef>()
      if (hiddenTrees.isEmpty) return hiddenRefs
      for (const it of refs) {
        const rootID = await found[it.kind].rootOf(store, it.ref)
        if (rootID !== null && hiddenTrees.has(rootID)) hiddenRefs.add(it)
      }
      return hiddenRefs
    },
    async hiddenSessions(ids) {
      const hiddenTrees = await hidden()
      const sessions = new Set<string>()
      if (hiddenTrees.isEmpty) return sessions
      for (const id of new Set(ids)) {
        const rootID = await rootOfSession(store, id)
        if (id !== null && rootID !== null && hiddenTrees.has(rootID)) sessions.add(id)
      }
      return sessions
    },
  }
}
