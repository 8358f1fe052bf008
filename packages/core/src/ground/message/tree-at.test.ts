import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, test } from "vitest"
import {
  assistantMessage,
  childOf,
  root,
  task,
  textPart,
  todo,
  todoChange,
  toolPart,
  userMessage,
} from "../../contract/rows.ts"
import type { MessageWithParts, Part, Session, TaskSummary, Todo, TodoChange } from "../schema/index.ts"
import { taskSummary } from "../schema/task.ts"
import { momentsOf, type Past } from "./timeline.ts"
import { stopsOf, treeAt } from "./tree-at.ts"
import { type TreeState, treeFromSnapshot } from "./tree-state.ts"
import { addUsage, noUsage } from "./usage.ts"

/** A call of a model: what it said, its tool calls one after another, and what it used. All lengths are ms. */
interface DrawnStep {
  pause: number
  writes: number
  calls: { takes: number; fails: boolean }[]
  cost: number
}

const step = fc.record({
  pause: fc.nat({ max: 50 }),
  writes: fc.integer({ min: 1, max: 40 }),
  calls: fc.array(fc.record({ takes: fc.nat({ max: 40 }), fails: fc.boolean() }), { maxLength: 3 }),
  cost: fc.nat({ max: 100 }).map((cents) => cents / 100),
})
const work = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  children: fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { maxLength: 2 }),
  todos: fc.array(fc.nat({ max: 200 }), { maxLength: 4 }),
})

const begun = 1_000
/** A text that no tree of a time before `at` may contain. */
const news = (at: number) => `<${at}>`

function played(session: Session, steps: DrawnStep[], start: number) {
  let now = start
  const prompt = userMessage(session, { time: { created: now } })
  // The id of its text may be of the next millisecond.
  const text = { ...textPart(prompt, news(now)), id: idAt("prt", now + 1) }
  const messages: MessageWithParts[] = [{ info: prompt, parts: [text] }]
  let used = noUsage
  for (const { pause, writes, calls, cost } of steps) {
    now += pause
    const created = now
    const info = assistantMessage(session, { parentID: prompt.id, time: { created, completed: null } })
    const parts: Part[] = []
    const place = { sessionID: session.id, messageID: info.id }
    const wrote = { start: now, end: now + writes }
    now = wrote.end
    parts.push({ ...place, id: toolPart(info, pending).id, type: "text", text: news(now), time: wrote })
    for (const { takes, fails } of calls) {
      const time = { start: now, end: now + takes }
      now = time.end
      const common = { input: {}, metadata: { output: news(now) }, time }
      parts.push(
        toolPart(
          info,
          fails
            ? { ...common, status: "error", error: news(now) }
            : { ...common, status: "completed", output: news(now), title: news(now) },
        ),
      )
    }
    const spent = { cost, tokens: { ...noUsage.tokens, output: 10 } }
    used = addUsage(used, spent)
    const finish = { ...place, id: idAt("prt", now), type: "step-finish" as const, reason: "stop", ...spent }
    messages.push({ info: { ...info, ...spent, time: { created, completed: now } }, parts: [...parts, finish] })
  }
  const ended = { at: now, how: "completed" as const }
  const time = { created: start, updated: now, archived: null }
  return { session: { ...session, ...used, ended, time }, messages, end: now }
}

const pending = { status: "pending", input: {}, raw: "" } as const
let made = 0
const idAt = (prefix: string, at: number) =>
  `${prefix}_${at.toString(16).padStart(12, "0")}${`${made++}`.padStart(14, "0")}`

/** A tree at rest that did this, and its past. */
function treeOf(drawnWork: typeof work extends fc.Arbitrary<infer T> ? T : never): { tree: TreeState; past: Past } {
  const above = root()
  const main = played(above, drawnWork.steps, begun)
  const children = drawnWork.children.map((steps, index) => {
    const child = played(childOf(main.session), steps, begun + 10 * index)
    const time = { created: child.session.time.created, started: begun + 10 * index, ended: child.end }
    const delegated = task(child.session, index + 1, { state: "completed", result: news(child.end), time })
    return { ...child, task: taskSummary(delegated) }
  })
  const { list, changes } = todosOf(main.session, drawnWork.todos)
  const all = [main, ...children]
  const tasks: TaskSummary[] = children.map((child) => child.task)
  const tree = treeFromSnapshot(main.session.id, {
    seq: 1,
    permissions: [],
    turns: [],
    sessions: all.map(({ session }) => session),
    todos: { [main.session.id]: list },
    tasks,
  })
  const transcripts = Object.fromEntries(
    all.map(({ session, messages }) => [session.id, { messages, before: null, after: null }]),
  )
  const moments = all.flatMap(({ messages }) => messages.flatMap(momentsOf)).sort((a, b) => a.at - b.at)
  return { tree: { ...tree, transcripts }, past: { moments, changes } }
}

/** A list to which a todo is added at each of these times. */
function todosOf(session: Session, times: number[]): { list: Todo[]; changes: TodoChange[] } {
  const list: Todo[] = []
  const changes = times
    .map((time) => begun + time)
    .sort((a, b) => a - b)
    .map((at, position) => {
      const value = todo(session, position, { content: news(at), time: { created: at, updated: at, completed: null } })
      list.push(value)
      return todoChange(null, value, { sessionID: session.id, at })
    })
  return { list, changes }
}

const moment = fc.nat({ max: 700 }).map((ms) => begun - 50 + ms)
const costOf = (tree: TreeState) => Object.values(tree.sessions).reduce((sum, { cost }) => sum + cost, 0)
const ids = (tree: TreeState) => [
  ...Object.keys(tree.sessions),
  ...Object.keys(tree.tasks),
  ...Object.values(tree.transcripts).flatMap(({ messages }) =>
    messages.flatMap(({ info, parts }) => [info.id, ...parts.map((part) => part.id)]),
  ),
]
const endOf = ({ tree, past }: ReturnType<typeof treeOf>) => stopsOf(tree, past).at(-1)?.at ?? 0

test("a tree at its last timestamp equals the current tree, sharing objects", () => {
  fc.assert(
    fc.property(work, moment, (drawnWork, at) => {
      const whole = treeOf(drawnWork)
      const { tree, past } = whole
      expect(treeAt(tree, past, endOf(whole))).toBe(tree)
      const then = treeAt(tree, past, at)
      for (const [id, { messages }] of Object.entries(then.transcripts)) {
        const now = new Map(tree.transcripts[id]?.messages.map((message) => [message.info.id, message]))
        for (const message of messages) {
          const { info } = message
          if (info.role === "user" || (info.time.completed !== null && info.time.completed <= at)) {
            expect(now.get(info.id)).toBe(message)
          }
        }
      }
      for (const row of Object.values(then.tasks)) {
        if (row.time.ended !== null) expect(tree.tasks[row.id]).toBe(row)
      }
    }),
    drawn(300, 60),
  )
})

test("items stay and costs never fall as time goes on", () => {
  fc.assert(
    fc.property(work, moment, moment, (drawnWork, one, other) => {
      const { tree, past } = treeOf(drawnWork)
      const [earlier, later] = [Math.min(one, other), Math.max(one, other)].map((at) => treeAt(tree, past, at))
      if (!earlier || !later) throw new Error("there are two")
      expect(ids(later)).toEqual(expect.arrayContaining(ids(earlier)))
      expect(costOf(later)).toBeGreaterThanOrEqual(costOf(earlier))
      const todos = (state: TreeState) => Object.values(state.todos).flat().length
      expect(todos(later)).toBeGreaterThanOrEqual(todos(earlier))
    }),
    drawn(300, 60),
  )
})

test("a past tree contains nothing from later times", () => {
  fc.assert(
    fc.property(work, moment, (drawnWork, at) => {
      const whole = treeOf(drawnWork)
      if (at >= endOf(whole)) return
      const { sessions, transcripts, todos, tasks } = treeAt(whole.tree, whole.past, at)
      const text = JSON.stringify({ sessions, transcripts, todos, tasks })
      const said = [...text.matchAll(/<(\d+)>/g)].map(([, digits]) => Number(digits))
      expect(said.filter((time) => time > at)).toEqual([])
      const times = [...text.matchAll(/"(?:start|end|created|completed|started|ended|updated|at)":(\d+)/g)]
      expect(times.map(([, digits]) => Number(digits)).filter((time) => time > at)).toEqual([])
    }),
    drawn(300, 60),
  )
})

test("a prompt has its text at the time it was created", () => {
  fc.assert(
    fc.property(work, (drawnWork) => {
      const { tree, past } = treeOf(drawnWork)
      const then = treeAt(tree, past, begun)
      expect(then.transcripts[then.rootID]?.messages[0]).toBe(tree.transcripts[tree.rootID]?.messages[0])
    }),
    drawn(),
  )
})

test("a session is busy during its steps and idle between prompts", () => {
  const session = root()
  const first = played(session, [{ pause: 10, writes: 20, calls: [], cost: 0.5 }], begun)
  const second = played(first.session, [{ pause: 10, writes: 20, calls: [], cost: 0.25 }], begun + 1_000)
  const messages = [...first.messages, ...second.messages]
  const now = { ...second.session, time: { ...second.session.time, created: begun } }
  const base = treeFromSnapshot(session.id, {
    seq: 1,
    sessions: [now],
    todos: {},
    permissions: [],
    turns: [],
    tasks: [],
  })
  const past = { moments: messages.flatMap(momentsOf), changes: [] }
  const then = (at: number) => treeAt(base, past, begun + at).sessions[session.id]
  expect(then(5)?.status.type).toBe("busy")
  expect(then(25)?.status.type).toBe("busy")
  expect(then(500)).toMatchObject({ status: { type: "idle" }, cost: 0.5, ended: null })
  expect(then(1_020)?.status.type).toBe("busy")
  expect(treeAt(base, past, begun - 1).sessions).toEqual({})
})
