import { isDeepStrictEqual } from "node:util"
import { createKeyedQueue } from "../../ground/concurrency/keyed-queue.ts"
import { missingSession } from "../../ground/error/missing-session.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { Caller, Todo, TodoChange, TodoInput, TodoStatus } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import type { TodoStore } from "../../ground/store/port/index.ts"
import {
  findTenantWide,
  requireAcyclic,
  requireTodo,
  requireUnblocked,
  resolveDependencies,
  type TodoLookup,
} from "./dependencies.ts"
import { isClosed } from "./is-closed.ts"
import { matchTodos, mergeWrite } from "./merge-write.ts"
import { rewindList, type TodoRewind } from "./rewind-list.ts"
import type {
  PlannedStep,
  ProposedTodo,
  TodoBaseline,
  TodoChangeOrigin,
  TodoPatch,
  TodoService,
} from "./todo-service.ts"
import {
  createTodoWriter,
  type DatedOrigin,
  type TodoPlace,
  type TodoWriter,
  type TodoWriterDeps,
} from "./todo-writer.ts"
import { effectiveChanges, workedBetween, workSpans } from "./work-spans.ts"

interface TodoServiceDeps extends TodoWriterDeps {
  store: Pick<Store, "todo" | "write" | "session" | "transcript">
  clock: () => number
}

export interface Todos extends TodoService, TodoRewind {
  /** The service in the name of a caller, who is recorded with each change. */
  as(caller: Caller): TodoService
}

/** Most items of one listing, and most changes of one history. */
const maxListed = 10_000
/** How many a listing or history has when the caller gives no limit. */
const defaultListed = 200

/**
 * The todos of one tenant. Changes of a list are made one after another in this process, so none is lost. Each is
 * stored with its history and published as `todo.updated` (a session's whole list) or `todo.item.updated` /
 * `todo.item.removed` (a tenant-wide item).
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
    write: (sessionID, items, origin, baseline) => edits.write(sessionID, items, { ...origin, by }, baseline),
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
      // Read again, because the todo may have changed while earlier work ran.
      const todo = await requireTodo(store, found.id)
      return work(todo, await placeOf(sessions, todo.sessionID))
    })
  }

  const replace = async (sessionID: string, stored: Todo[], items: TodoInput[], origin: TodoChangeOrigin) => {
    const now = deps.clock()
    const tenantWide = (ref: string | number) => findTenantWide(store, ref)
    const list = await replaceTodos(
      { createID: deps.createID, reserveNumbers: write.reserveTodoNumbers, tenantWide },
      { sessionID, stored, items, agent: agentOf(origin), now },
    )
    await writer.replace(await placeOf(sessions, sessionID), stored, list, { ...origin, at: now })
    return list
  }

  return {
    async replace(sessionID, items, origin) {
      await requireSession(sessions, sessionID)
      return inOrder(sessionID, async () => replace(sessionID, await store.list(sessionID), items, origin))
    },
    async write(sessionID, items, origin, baseline) {
      await requireSession(sessions, sessionID)
      return inOrder(sessionID, async () => {
        const stored = await store.list(sessionID)
        const merged = mergeWrite({ stored, items, ...(await changesSince(store, sessionID, baseline)) })
        const todos = await replace(sessionID, stored, merged.items, origin)
        return { before: stored, todos, remarks: merged.remarks }
      })
    },
    async create({ id, sessionID, content, agent, position: index, ...fields }, origin) {
      const place = await placeOf(sessions, sessionID)
      return inOrder(sessionID ?? "", async () => {
        const now = deps.clock()
        const list = index === undefined && place === null ? [] : await lists.of(place)
        const position = fields.exactPosition ?? (await lists.end(place, list))
        const number = await write.reserveTodoNumbers(1)
        const given = { number, sessionID, content, position, agent: agent ?? agentOf(origin), now }
        const base = newTodo({ id: id ?? deps.createID("todo"), ...given })
        const todo = await applyTodoPatch(store, base, fields, now)
        lists.taken(place, todo.position)
        const dated = { ...origin, at: now }
        if (index === undefined) {
          await writer.put(place, null, todo, dated)
          return todo
        }
        const placed = placeTodo(list, todo, index, now)
        await writer.replace(place, list, placed, dated)
        return memberOf(placed, todo)
      })
    },
    async addSteps(sessionID, steps, origin) {
      const { rootID } = await requireSession(sessions, sessionID)
      return inOrder(sessionID, () =>
        addSteps({ ...deps, writer }, steps, { place: { sessionID, rootID }, origin: { ...origin, at: deps.clock() } }),
      )
    },
    update: (ref, { position: index, ...fields }, origin) =>
      edit(ref, async (todo, place) => {
        const dated = { ...origin, at: deps.clock() }
        const next = await applyTodoPatch(store, todo, fields, dated.at)
        lists.taken(place, next.position)
        if (index === undefined) {
          if (next !== todo) await writer.put(place, todo, next, dated)
          return next
        }
        const list = await lists.of(place)
        const placed = placeTodo(list, next, index, dated.at)
        if (placed.some((member, at) => member !== list[at])) await writer.replace(place, list, placed, dated)
        return memberOf(placed, next)
      }),
    async rewind(sessionID, id, origin, more) {
      const { rootID } = await requireSession(sessions, sessionID)
      await inOrder(sessionID, () => rewindList(deps, { sessionID, rootID }, { id, origin, more }))
    },
    remove: (ref, origin) => edit(ref, (todo, place) => writer.remove(place, todo, { ...origin, at: deps.clock() })),
  }
}

/** Most changes of a list that are searched for those that an agent has not seen. */
const lookedThrough = 1_000

/**
 * The changes since an agent last saw the list, oldest first, and a function that tells whether someone else made a
 * change.
 */
async function changesSince(store: Store["todo"], sessionID: string, baseline: TodoBaseline) {
  const latest = await store.history({ sessionID, limit: lookedThrough })
  // The call in which the agent saw the list may have changed it itself.
  const isBaseline = ({ partID }: TodoChange) => partID !== null && partID === baseline.partID
  const changes = effectiveChanges(latest).filter((change) => change.at >= baseline.at && !isBaseline(change))
  const isForeign = ({ actor, messageID }: TodoChange) => actor.kind !== "agent" || !baseline.isOwn(messageID)
  return { changes, isForeign }
}

function memberOf(list: Todo[], todo: Todo): Todo {
  return list.find((member) => member.id === todo.id) ?? todo
}

function agentOf({ actor }: TodoChangeOrigin): string | null {
  return actor.kind === "agent" ? actor.name : null
}

/** Whole lists in order. The end of the tenant-wide list is cached, so that adding does not read it. */
function createLists(store: Store["todo"]) {
  /** The first free position of the tenant-wide list; null until it is needed. */
  let nextTenantWide: number | null = null
  const tenantWide = async () => {
    const found = await store.find({ scope: { kind: "tenant" }, limit: maxListed })
    return found.toSorted((a, b) => a.position - b.position || a.number - b.number)
  }
  return {
    of: (place: TodoPlace) => (place === null ? tenantWide() : store.list(place.sessionID)),
    /** The position after all others; `list` is the session's. */
    async end(place: TodoPlace, list: Todo[]): Promise<number> {
      if (place !== null) return 1 + (list.at(-1)?.position ?? -1)
      nextTenantWide ??= 1 + ((await tenantWide()).at(-1)?.position ?? -1)
      return nextTenantWide++
    },
    /** Call it when an item got this position. */
    taken(place: TodoPlace, position: number): void {
      if (place !== null || nextTenantWide === null) return
      if (position >= nextTenantWide) nextTenantWide = position + 1
    },
  }
}

async function requireSession(store: Store["session"], sessionID: string) {
  const session = await store.get(sessionID)
  if (session !== null) return session
  throw missingSession(sessionID)
}

async function placeOf(store: Store["session"], sessionID: string | null): Promise<TodoPlace> {
  if (sessionID === null) return null
  const { rootID } = await requireSession(store, sessionID)
  return { sessionID, rootID }
}

function clampLimit(limit: number | undefined): number {
  return Math.min(Math.max(1, limit ?? defaultListed), maxListed)
}

/** Most changes of a list that are searched for steps added before. */
const stepsLookedThrough = 10_000

interface AddStepsDeps {
  store: Pick<Store, "todo" | "write">
  writer: Pick<TodoWriter, "replace">
  createID: CreateId
}

/**
 * Adds the steps that were not added before to a session's list, in one change. Call it while holding the list's queue.
 */
async function addSteps(
  { store, writer, createID }: AddStepsDeps,
  steps: readonly PlannedStep[],
  { place, origin }: { place: NonNullable<TodoPlace>; origin: DatedOrigin },
): Promise<{ added: Todo[]; known: number }> {
  const { sessionID } = place
  const known = await addedBefore(store.todo, sessionID)
  const fresh = steps.filter(({ content, plan }) => !known.has(keyOf(plan.file, content)))
  if (fresh.length === 0) return { added: [], known: steps.length }
  const stored = await store.todo.list(sessionID)
  const first = await store.write.reserveTodoNumbers(fresh.length)
  const end = 1 + (stored.at(-1)?.position ?? -1)
  const added = fresh.map(({ content, description, status, plan }, index) => {
    const given = { number: first + index, sessionID, content, position: end + index, agent: null, now: origin.at }
    return { ...changeTodo(newTodo({ id: createID("todo"), ...given }), { description, status }, origin.at), plan }
  })
  await writer.replace(place, stored, [...stored, ...added], origin)
  return { added, known: steps.length - fresh.length }
}

/** The keys of steps that were added before; an addition that was undone does not count. */
async function addedBefore(store: Pick<Store["todo"], "history">, sessionID: string): Promise<Set<string>> {
  const changes = effectiveChanges(await store.history({ sessionID, limit: stepsLookedThrough }))
  return new Set(
    changes.flatMap(({ before, after }) =>
      before === null && after?.plan ? [keyOf(after.plan.file, after.content)] : [],
    ),
  )
}

function keyOf(file: string, content: string): string {
  return JSON.stringify([file, content])
}

/**
 * The todo after the patch, except for its position; the same object when nothing differs.
 * @throws todo_not_found for an unknown dependency, todo_cycle, todo_blocked
 */
async function applyTodoPatch(
  store: TodoStore,
  todo: Todo,
  patch: Omit<TodoPatch, "position">,
  now: number,
): Promise<Todo> {
  const { dependsOn: refs, exactPosition: position, ...fields } = patch
  const lookup = (id: string) => store.get(id)
  const dependsOn = refs === undefined ? todo.dependsOn : await dependencyIDs(store, todo, refs)
  const next = changeTodo(todo, { ...fields, position, dependsOn }, now)
  if (refs !== undefined) await requireAcyclic(next, lookup)
  if (next.status === "in_progress" && todo.status !== "in_progress") await requireUnblocked(next, lookup)
  return next
}

async function dependencyIDs(store: TodoStore, todo: Todo, refs: string[]): Promise<string[]> {
  const list = todo.sessionID === null || refs.length === 0 ? [] : await store.list(todo.sessionID)
  return resolveDependencies(refs, list, (ref) => findTenantWide(store, ref))
}

/**
 * The todo with the given fields, or the same object when nothing differs. Closing sets `completed`, reopening clears
 * it, and `patch.completed` overrides both. Every change of status removes a proposal, and a closed todo cannot get
 * one.
 */
function changeTodo(
  todo: Todo,
  patch: Omit<TodoPatch, "dependsOn" | "exactPosition"> & { dependsOn?: string[] },
  now: number,
): Todo {
  const next: Todo = {
    ...todo,
    content: patch.content ?? todo.content,
    description: patch.description ?? todo.description,
    status: patch.status ?? todo.status,
    priority: patch.priority ?? todo.priority,
    position: patch.position ?? todo.position,
    dependsOn: patch.dependsOn ?? todo.dependsOn,
    owner: patch.owner === undefined ? todo.owner : patch.owner,
    proposed: patch.proposed === undefined ? todo.proposed : patch.proposed,
  }
  const hasNewStatus = next.status !== todo.status
  if ((hasNewStatus && patch.proposed === undefined) || isClosed(next.status)) next.proposed = null
  next.time = { ...todo.time, completed: completedTime(todo, next.status, patch.completed, now) }
  if (isDeepStrictEqual(next, todo)) return todo
  next.time.updated = now
  return next
}

function completedTime(todo: Todo, status: TodoStatus, given: number | null | undefined, now: number): number | null {
  if (given !== undefined) return given
  if (!isClosed(status)) return null
  return status === todo.status ? (todo.time.completed ?? now) : now
}

/** The list with the item moved to `index`, numbered from 0. Items whose position stays are the same objects. */
function placeTodo(list: Todo[], todo: Todo, index: number, now: number): Todo[] {
  const others = list.filter((member) => member.id !== todo.id)
  return others
    .toSpliced(index, 0, todo)
    .map((member, position) => (member.position === position ? member : changeTodo(member, { position }, now)))
}

interface ReplacementDeps {
  createID: CreateId
  /** Reserves todo numbers and returns the first. */
  reserveNumbers(count: number): Promise<number>
  /** A tenant-wide item by id or number. */
  tenantWide(ref: string | number): Promise<Todo | null>
}

/**
 * The list after `items` replace `stored`: matched items keep id, number, owner, times and omitted fields. Dependencies
 * on removed items are dropped.
 * @throws todo_not_found, todo_cycle, todo_blocked; reserved numbers may stay unused then
 */
async function replaceTodos(
  deps: ReplacementDeps,
  given: { sessionID: string; stored: Todo[]; items: TodoInput[]; agent: string | null; now: number },
): Promise<Todo[]> {
  const { sessionID, stored, items, agent, now } = given
  const matched = matchTodos(stored, items)
  const added = matched.filter((pair) => pair.stored === null).length
  let number = added === 0 ? 0 : await deps.reserveNumbers(added)
  const bases = matched.map((pair, position) => {
    const { content } = pair.item
    return (
      pair.stored ?? newTodo({ id: deps.createID("todo"), number: number++, sessionID, content, position, agent, now })
    )
  })
  // Dependencies are looked up in the new contents, so that a call can refer to its own new items.
  const renamed = bases.map((base, index) => ({ ...base, content: items[index]?.content ?? base.content }))
  const ids = new Set(bases.map((base) => base.id))
  const gone = new Set(stored.filter((todo) => !ids.has(todo.id)).map((todo) => todo.id))
  const list: Todo[] = []
  for (const [position, base] of bases.entries()) {
    const item = items[position]
    if (item === undefined) continue
    const { id: _, dependsOn, ...fields } = item
    const named = dependsOn === undefined ? null : await resolveDependencies(dependsOn, renamed, deps.tenantWide)
    const kept = named ?? base.dependsOn.filter((id) => !gone.has(id))
    list.push(changeTodo(base, { ...fields, position, dependsOn: kept }, now))
  }
  await checkList(list, stored, deps.tenantWide)
  return list
}

async function checkList(list: Todo[], stored: Todo[], tenantWide: TodoLookup): Promise<void> {
  const items = new Map(list.map((todo) => [todo.id, todo]))
  const before = new Map(stored.map((todo) => [todo.id, todo]))
  const lookup: TodoLookup = async (id) => items.get(id) ?? (await tenantWide(id))
  for (const todo of list) {
    if (todo.dependsOn.length === 0) continue
    await requireAcyclic(todo, lookup)
    const started = todo.status === "in_progress" && before.get(todo.id)?.status !== "in_progress"
    if (started) await requireUnblocked(todo, lookup)
  }
}

/** Most open todos of each status that are searched. */
const maxOpen = 1_000

/** Open todos that tasks propose as done, in lists that are not archived. */
async function proposedTodos(deps: {
  store: Pick<Store["todo"], "find">
  sessions: Pick<Store["session"], "get">
}): Promise<ProposedTodo[]> {
  const scope = { kind: "all" } as const
  const open = await Promise.all(
    (["in_progress", "pending"] as const).map((status) => deps.store.find({ scope, status, limit: maxOpen })),
  )
  const proposed = open.flat().filter((todo) => todo.proposed !== null)
  const placed = await Promise.all(
    proposed.map(async (todo) => {
      if (todo.sessionID === null) return [{ todo, rootID: null }]
      const session = await deps.sessions.get(todo.sessionID)
      return session === null || session.time.archived !== null ? [] : [{ todo, rootID: session.rootID }]
    }),
  )
  return placed.flat().sort((a, b) => (b.todo.proposed?.at ?? 0) - (a.todo.proposed?.at ?? 0))
}

interface NewTodoFields {
  id: string
  number: number
  sessionID: string | null
  content: string
  position: number
  agent: string | null
  /** Epoch ms. */
  now: number
}

/** A pending todo of medium priority. */
export function newTodo({ id, number, sessionID, content, position, agent, now }: NewTodoFields): Todo {
  return {
    id,
    number,
    sessionID,
    content,
    description: "",
    status: "pending",
    priority: "medium",
    position,
    agent,
    dependsOn: [],
    owner: null,
    proposed: null,
    time: { created: now, updated: now, completed: null },
  }
}
