import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, it } from "vitest"
import type { Message, Part, Session, Task, Todo } from "../ground/schema/index.ts"
import { changedSession } from "../ground/store/changed-rows.ts"
import type { Change, FeedChange, Mutation, Store } from "../ground/store/port/index.ts"
import { byPosition } from "../ground/store/record/todo.ts"
import type { OpenStore } from "./make-store.ts"
import { childOf, fraction, root, task, textPart, todo, todoChange, userMessage } from "./rows.ts"

/** The rows of one tree, as a reader has them. */
interface View {
  sessions: Map<string, Session>
  messages: Map<string, Message>
  parts: Map<string, Part>
  todos: Map<string, Todo[]>
  tasks: Map<string, Task>
}

const emptyView = (): View => ({
  sessions: new Map(),
  messages: new Map(),
  parts: new Map(),
  todos: new Map(),
  tasks: new Map(),
})
const copyOf = (view: View): View => structuredClone(view)

/** Applies a change like a reader does; the model of the store is a reader of all changes. */
function applyChange(view: View, change: FeedChange): void {
  switch (change.kind) {
    case "session":
      view.sessions.set(change.value.id, change.value)
      break
    case "message":
      view.messages.set(change.value.id, change.value)
      break
    case "part":
      view.parts.set(change.value.id, change.value)
      break
    case "todos":
      view.todos.set(change.sessionID, change.value)
      break
    case "task":
      view.tasks.set(change.value.id, change.value)
      break
    case "part.removed":
      view.parts.delete(change.partID)
      break
    case "message.removed":
      removeMessage(view, change.messageID)
      break
    case "session.removed":
      removeSession(view, change.sessionID)
      break
  }
}

function removeMessage(view: View, messageID: string): void {
  view.messages.delete(messageID)
  for (const part of view.parts.values()) if (part.messageID === messageID) view.parts.delete(part.id)
}

function removeSession(view: View, sessionID: string): void {
  for (const { id, parentID } of view.sessions.values()) if (parentID === sessionID) removeSession(view, id)
  for (const message of view.messages.values()) if (message.sessionID === sessionID) removeMessage(view, message.id)
  for (const { id, sessionID: child } of view.tasks.values()) if (child === sessionID) view.tasks.delete(id)
  view.todos.delete(sessionID)
  view.sessions.delete(sessionID)
}

/** Everything about the tree that the store returns. */
async function readView(store: Store, rootID: string): Promise<View> {
  const view = emptyView()
  for (const session of await store.session.tree(rootID)) {
    view.sessions.set(session.id, session)
    const list = await store.todo.list(session.id)
    if (list.length > 0) view.todos.set(session.id, list)
    const lastTask = await store.task.byChild(session.id)
    if (lastTask) view.tasks.set(lastTask.id, lastTask)
    const { items } = await store.transcript.page({ sessionID: session.id, limit: 1_000 })
    for (const { info, parts } of items) {
      view.messages.set(info.id, info)
      for (const part of parts) view.parts.set(part.id, part)
    }
  }
  return view
}

function sorted(view: View) {
  const entries = <T>(map: Map<string, T>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    sessions: entries(view.sessions),
    messages: entries(view.messages),
    parts: entries(view.parts),
    tasks: entries(view.tasks),
    todos: entries(view.todos).filter(([, list]) => list.length > 0),
  }
}

interface Draw {
  action: string
  /** Selects one of the existing rows, from 0 to 1. */
  pick: number
  text: string
}

/** Frequent actions are listed several times. `… again` stores an existing row with other content. */
const actions = [
  "session",
  "patch",
  "message",
  "message",
  "message again",
  "part",
  "part",
  "part",
  "part again",
  "part again",
  "todos",
  "todo",
  "todo",
  "todo again",
  "remove todo",
  "task",
  "task again",
  "remove part",
  "remove message",
  "remove session",
]
const draws = fc.array(
  fc.record({
    action: fc.constantFrom(...actions),
    pick: fraction,
    text: fc.string(),
  }),
  { minLength: 1, maxLength: 6 },
)

/** A mutation that is valid in `view`; null when there is no row for it. */
function toMutation(view: View, tree: Session, { action, pick, text }: Draw): Mutation | null {
  const one = <T>(map: Map<string, T>): T | undefined => [...map.values()][Math.floor(pick * map.size)]
  const session = one(view.sessions) ?? tree
  const message = one(view.messages)
  const part = one(view.parts)
  const delegated = one(view.tasks)
  const items = [...view.todos].flatMap(([sessionID, list]) => list.map((value) => ({ ...value, sessionID })))
  const item = items[Math.floor(pick * items.length)] ?? null
  switch (action) {
    case "session":
      return { kind: "session", value: childOf(session, { title: text }) }
    case "patch":
      return { kind: "session.patch", sessionID: session.id, patch: { title: text, cost: pick } }
    case "message":
      return { kind: "message", value: userMessage(session) }
    case "message again":
      return message ? { kind: "message", value: { ...message, agent: text } } : null
    case "part":
      return message ? { kind: "part", value: textPart(message, text), quiet: pick < 0.5 } : null
    case "part again":
      return part?.type === "text" ? { kind: "part", value: { ...part, text } } : null
    case "todos": {
      const kept = (view.todos.get(session.id) ?? []).filter((_, index) => (index + pick * 10) % 3 > 1)
      const list = [...kept, todo(session, 0, { content: `${text}.` })]
      return { kind: "todos", sessionID: session.id, value: list.map((item, position) => ({ ...item, position })) }
    }
    case "todo":
      return putTodo(session.id, null, todo(session, Math.floor(pick * 4), { content: `${text}.` }))
    case "todo again":
      return item && putTodo(item.sessionID, item, { ...item, position: Math.floor(pick * 4), content: `${text}.` })
    case "remove todo":
      return (
        item && {
          kind: "todo.remove",
          sessionID: item.sessionID,
          todoID: item.id,
          change: todoChange(item, null),
        }
      )
    case "task":
      return hasTask(view, session) ? null : { kind: "task.new", value: task(session, 0) }
    case "task again":
      return delegated ? { kind: "task", value: { ...delegated, state: "completed", result: text } } : null
    case "remove part":
      return part
        ? { kind: "part.remove", sessionID: part.sessionID, messageID: part.messageID, partID: part.id }
        : null
    case "remove message":
      return message ? { kind: "message.remove", sessionID: message.sessionID, messageID: message.id } : null
    case "remove session":
      return session.id === tree.id ? null : { kind: "session.remove", sessionID: session.id }
    default:
      return null
  }
}

function putTodo(sessionID: string, before: Todo | null, value: Todo): Mutation {
  return { kind: "todo", sessionID, value, change: todoChange(before, value) }
}

/** With at most one task per session, `byChild` has a single result. */
function hasTask(view: View, session: Session): boolean {
  return [...view.tasks.values()].some(({ sessionID }) => sessionID === session.id)
}

/** The mutations of one batch; each is valid after the earlier ones. */
function toBatch(view: View, tree: Session, batch: Draw[]): Mutation[] {
  const ahead = copyOf(view)
  return batch.flatMap((draw) => {
    const mutation = toMutation(ahead, tree, draw)
    if (mutation) applyChange(ahead, expectedChange(ahead, tree.id, mutation))
    return mutation ?? []
  })
}

/** The change that a mutation causes, without its sequence number. */
function expectedChange(view: View, rootID: string, mutation: Mutation): Change {
  const place = { rootID, seq: 0 }
  switch (mutation.kind) {
    case "session":
      return { ...place, kind: "session", value: mutation.value, created: !view.sessions.has(mutation.value.id) }
    case "session.patch": {
      const before = view.sessions.get(mutation.sessionID)
      if (!before) throw new Error(`the model has no session ${mutation.sessionID}`)
      return { ...place, kind: "session", value: { ...before, ...mutation.patch }, created: false }
    }
    case "session.note":
    case "session.notes.read":
    case "session.used":
    case "session.read": {
      const before = view.sessions.get(mutation.sessionID)
      if (!before) throw new Error(`the model has no session ${mutation.sessionID}`)
      return { ...place, kind: "session", value: changedSession(before, mutation), created: false }
    }
    case "session.remove":
      return { ...place, kind: "session.removed", sessionID: mutation.sessionID }
    case "message.remove":
      return { ...place, ...mutation, kind: "message.removed" }
    case "part.remove":
      return { ...place, ...mutation, kind: "part.removed" }
    case "part":
      return { ...place, kind: "part", value: mutation.value, quiet: mutation.quiet ?? false }
    case "message":
      return { ...place, kind: "message", value: mutation.value }
    case "todos":
      return { ...place, kind: "todos", sessionID: mutation.sessionID, value: mutation.value }
    case "todo": {
      const { sessionID, value } = mutation
      const others = (view.todos.get(sessionID) ?? []).filter(({ id }) => id !== value.id)
      return { ...place, kind: "todos", sessionID, value: [...others, value].sort(byPosition) }
    }
    case "todo.remove": {
      const { sessionID, todoID } = mutation
      const kept = (view.todos.get(sessionID) ?? []).filter(({ id }) => id !== todoID)
      return { ...place, kind: "todos", sessionID, value: kept }
    }
    case "permission":
      return { ...place, kind: "permission", value: mutation.value }
    case "task":
      return { ...place, kind: "task", value: mutation.value }
    case "task.new": {
      const number = 1 + Math.max(0, ...[...view.tasks.values()].map((task) => task.number))
      return { ...place, kind: "task", value: { ...mutation.value, number } }
    }
    case "task.told":
    case "thread":
    case "comment":
    case "comment.change":
    case "verdict":
    case "viewed":
      throw new Error("not drawn")
    case "turn":
      return { ...place, kind: "turn", value: mutation.value }
    default:
      return mutation satisfies never
  }
}

async function runHistory(store: Store, history: Draw[][], pageSize: number): Promise<void> {
  const tree = root()
  const model = emptyView()
  const views = new Map([[0, emptyView()]])
  let seq = 0
  const commit = async (mutations: Mutation[]) => {
    const changes = await store.write.commit([{ rootID: tree.id, mutations }])
    expect(changes).toHaveLength(mutations.length)
    for (const mutation of mutations) {
      const expected = { ...expectedChange(model, tree.id, mutation), seq: seq + 1 }
      expect(changes.find((change) => change.seq === expected.seq)).toEqual(expected)
      applyChange(model, expected)
      seq++
    }
    views.set(seq, copyOf(model))
  }
  await commit([{ kind: "session", value: tree }])
  for (const batch of history) await commit(toBatch(model, tree, batch))

  expect(sorted(await readView(store, tree.id))).toEqual(sorted(model))
  expect(await store.feed.head(tree.id)).toBe(seq)
  for (const [since, view] of views) {
    let cursor = since
    for (let page = await next(); page.length > 0; page = await next()) {
      for (const change of page) {
        expect(change.seq).toBeGreaterThan(cursor)
        cursor = change.seq
        applyChange(view, change)
      }
    }
    expect(sorted(view), `a reader that comes back at ${since}`).toEqual(sorted(model))
    async function next() {
      return store.feed.changesSince(tree.id, cursor, pageSize)
    }
  }
}

export function modelContract(open: OpenStore): void {
  it("leaves every reader with the same tree, from whatever place it resumes", async () => {
    const store = await open()
    const histories = fc.array(draws, { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(histories, fc.integer({ min: 1, max: 7 }), (history, pageSize) =>
        runHistory(store, history, pageSize),
      ),
      drawn(40, 12),
    )
  })
}
