import { createKeyedQueue } from "../../ground/concurrency/keyed-queue.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Caller, Todo, TodoChange, TodoInput } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { addSteps } from "./add-steps.ts"
import { applyTodoPatch } from "./apply-todo-patch.ts"
import { effectiveChanges } from "./effective-changes.ts"
import { findTenantWide, requireTodo } from "./find-todo.ts"
import { mergeWrite } from "./merge-write.ts"
import { newTodo } from "./new-todo.ts"
import { placeTodo } from "./place-todo.ts"
import { proposedTodos } from "./proposed-todos.ts"
import { replaceTodos } from "./replace-todos.ts"
import { rewindList, type TodoRewind } from "./rewind-list.ts"
import type { TodoChangeOrigin, TodoService, TodoSight } from "./todo-service.ts"
import { createTodoWriter, type TodoPlace, type TodoWriterDeps } from "./todo-writer.ts"
import { workSpans } from "./work-spans.ts"
import { workedBetween } from "./worked-between.ts"

export interface TodoServiceDeps extends TodoWriterDeps {
  store: Pick<Store, "todo" | "write" | "session" | "transcript">
  clock: () => number
}

export interface Todos extends TodoService, TodoRewind {
  /** Changes that are made this way say who made them. */
  as(caller: Caller): TodoService
}

/** Most items that one listing returns, and most changes that one history does. */
const maxListed = 10_000
const defaultListed = 200

/**
 * The todos of one tenant. Changes of one list happen one after another in this process, so that none is
 * lost; each is stored with its history and told as `todo.updated` (a session's whole list) or
 * `todo.item.updated` / `todo.item.removed` (a tenant-wide item).
 */
export function createTodoService(deps: TodoServiceDeps): Todos {
  const { todo: store, session: sessions, transcript } = deps.store
  const edits = createTodoEdits(deps)
  const service: TodoService & TodoRewind = {
    ...edits,
    list: async (sessionID) => store.list((await requireSession(sessions, sessionID)).id),
    tree: async (sessionID) => store.tree((await requireSession(sessions, sessionID)).rootID),
    find: ({ limit, ...query }) => store.find({ ...query, limit: clampLimit(limit) }),
    proposed: () => proposedTodos({ store, sessions }),
    get: (ref) => requireTodo(store, ref),
    history: ({ limit, ...query }) => store.history({ ...query, limit: clampLimit(limit) }),
    async evidence(ref) {
      const todo = await requireTodo(store, ref)
      const sessionID = todo.sessionID ?? todo.owner?.sessionID ?? null
      if (sessionID === null) return null
      const spans = workSpans(await store.history({ todoID: todo.id, limit: maxListed }))
      if (spans.length === 0) return null
      const worked = await Promise.all(spans.map((span) => workedBetween(transcript, sessionID, span)))
      return { sessionID, spans: spans.map((span, index) => ({ ...span, worked: worked[index] ?? null })) }
    },
  }
  return { ...service, as: (caller) => ({ ...service, ...editsBy(edits, caller) }) }
}

type TodoEdits = Pick<TodoService, "replace" | "write" | "create" | "addSteps" | "update" | "remove">

function editsBy(edits: TodoEdits, by: Caller): TodoEdits {
  return {
    replace: (sessionID, items, origin) => edits.replace(sessionID, items, { ...origin, by }),
    write: (sessionID, items, origin, sight) => edits.write(sessionID, items, { ...origin, by }, sight),
    create: (input, origin) => edits.create(input, { ...origin, by }),
    addSteps: (sessionID, steps, origin) => edits.addSteps(sessionID, steps, { ...origin, by }),
    update: (ref, patch, origin) => edits.update(ref, patch, { ...origin, by }),
    remove: (ref, origin) => edits.remove(ref, { ...origin, by }),
  }
}

function createTodoEdits(deps: TodoServiceDeps): TodoEdits & TodoRewind {
  const { todo: store, session: sessions, write } = deps.store
  const writer = createTodoWriter(deps)
  const inOrder = createKeyedQueue()
  const lists = createLists(store)

  const edit = async <T>(ref: string | number, work: (todo: Todo, place: TodoPlace) => Promise<T>): Promise<T> => {
    const found = await requireTodo(store, ref)
    return inOrder(found.sessionID ?? "", async () => {
      // What was found may have changed while earlier work ran.
      const todo = await requireTodo(store, found.id)
      return work(todo, await placeOf(sessions, todo.sessionID))
    })
  }

  const replace = async (sessionID: string, stored: Todo[], items: TodoInput[], by: TodoChangeOrigin) => {
    const now = deps.clock()
    const tenantWide = (ref: string | number) => findTenantWide(store, ref)
    const list = await replaceTodos(
      { createID: deps.createID, reserveNumbers: write.reserveTodoNumbers, tenantWide },
      { sessionID, stored, items, agent: agentOf(by), now },
    )
    await writer.replace(await placeOf(sessions, sessionID), stored, list, { ...by, at: now })
    return list
  }

  return {
    async replace(sessionID, items, by) {
      await requireSession(sessions, sessionID)
      return inOrder(sessionID, async () => replace(sessionID, await store.list(sessionID), items, by))
    },
    async write(sessionID, items, by, sight) {
      await requireSession(sessions, sessionID)
      return inOrder(sessionID, async () => {
        const stored = await store.list(sessionID)
        const merged = mergeWrite({ stored, items, ...(await changesSince(store, sessionID, sight)) })
        const todos = await replace(sessionID, stored, merged.items, by)
        return { before: stored, todos, remarks: merged.remarks }
      })
    },
    async create({ id, sessionID, content, agent, position: index, ...fields }, by) {
      const place = await placeOf(sessions, sessionID)
      return inOrder(sessionID ?? "", async () => {
        const now = deps.clock()
        const list = index === undefined && place === null ? [] : await lists.of(place)
        const position = fields.exactPosition ?? (await lists.end(place, list))
        const number = await write.reserveTodoNumbers(1)
        const given = { number, sessionID, content, position, agent: agent ?? agentOf(by), now }
        const base = newTodo({ id: id ?? deps.createID("todo"), ...given })
        const todo = await applyTodoPatch(store, base, fields, now)
        lists.taken(place, todo.position)
        const origin = { ...by, at: now }
        if (index === undefined) {
          await writer.put(place, null, todo, origin)
          return todo
        }
        const placed = placeTodo(list, todo, index, now)
        await writer.replace(place, list, placed, origin)
        return memberOf(placed, todo)
      })
    },
    async addSteps(sessionID, steps, by) {
      const { rootID } = await requireSession(sessions, sessionID)
      return inOrder(sessionID, () =>
        addSteps({ ...deps, writer }, steps, { place: { sessionID, rootID }, by: { ...by, at: deps.clock() } }),
      )
    },
    update: (ref, { position: index, ...fields }, by) =>
      edit(ref, async (todo, place) => {
        const origin = { ...by, at: deps.clock() }
        const next = await applyTodoPatch(store, todo, fields, origin.at)
        lists.taken(place, next.position)
        if (index === undefined) {
          if (next !== todo) await writer.put(place, todo, next, origin)
          return next
        }
        const list = await lists.of(place)
        const placed = placeTodo(list, next, index, origin.at)
        if (placed.some((member, at) => member !== list[at])) await writer.replace(place, list, placed, origin)
        return memberOf(placed, next)
      }),
    async rewind(sessionID, id, by, more) {
      const { rootID } = await requireSession(sessions, sessionID)
      await inOrder(sessionID, () => rewindList(deps, { sessionID, rootID }, { id, by, more }))
    },
    remove: (ref, by) => edit(ref, (todo, place) => writer.remove(place, todo, { ...by, at: deps.clock() })),
  }
}

/** Changes of one list that are looked through for those that an agent has not seen. */
const lookedThrough = 1_000

async function changesSince(store: Store["todo"], sessionID: string, sight: TodoSight) {
  const latest = await store.history({ sessionID, limit: lookedThrough })
  const changes = effectiveChanges(latest).filter(
    ({ at, partID }) => at >= sight.at && (partID === null || partID !== sight.partID),
  )
  const isForeign = ({ actor, messageID }: TodoChange) => actor.kind !== "agent" || !sight.isOwn(messageID)
  return { changes, isForeign }
}

function memberOf(list: Todo[], todo: Todo): Todo {
  return list.find((member) => member.id === todo.id) ?? todo
}

function agentOf(by: TodoChangeOrigin): string | null {
  return by.actor.kind === "agent" ? by.actor.name : null
}

/** Whole lists in their order. Of the tenant-wide one the end is kept, so that adding does not read it. */
function createLists(store: Store["todo"]) {
  let next: number | null = null
  const tenantWide = async () => {
    const found = await store.find({ scope: { kind: "tenant" }, limit: maxListed })
    return found.toSorted((a, b) => a.position - b.position || a.number - b.number)
  }
  return {
    of: (place: TodoPlace) => (place === null ? tenantWide() : store.list(place.sessionID)),
    /** The position behind all others; `list` is the session's. */
    async end(place: TodoPlace, list: Todo[]): Promise<number> {
      if (place !== null) return 1 + (list.at(-1)?.position ?? -1)
      next ??= 1 + ((await tenantWide()).at(-1)?.position ?? -1)
      return next++
    },
    /** An item was given this position. */
    taken(place: TodoPlace, position: number): void {
      if (place === null && next !== null && position >= next) next = position + 1
    },
  }
}

async function requireSession(store: Store["session"], sessionID: string) {
  const session = await store.get(sessionID)
  if (session !== null) return session
  throw new DocketError("session_not_found", `There is no session ${sessionID}.`)
}

async function placeOf(store: Store["session"], sessionID: string | null): Promise<TodoPlace> {
  if (sessionID === null) return null
  const { rootID } = await requireSession(store, sessionID)
  return { sessionID, rootID }
}

function clampLimit(limit: number | undefined): number {
  return Math.min(Math.max(1, limit ?? defaultListed), maxListed)
}
