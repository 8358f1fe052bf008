import { expect, test } from "vitest"
import { newSession, newTextPart, userMessageWith } from "../../test/entities.ts"
import { createIdSource } from "../id/create-id.ts"
import type { DocketEvent, FeedItem, Turn } from "../schema/index.ts"
import { addPage, applyEvent, replacePart, type TreeState, treeFromSnapshot } from "./tree.ts"

function setUp() {
  const createID = createIdSource()
  const session = newSession(createID)
  const empty = treeFromSnapshot(session.id, {
    seq: 5,
    sessions: [session],
    todos: {},
    permissions: [],
    turns: [],
    tasks: [],
  })
  const messages = ["one", "two"].map((text) => userMessageWith(createID, session.id, text))
  const state = addPage(empty, session.id, { items: messages, before: null, after: null, seq: 5 }, "start")
  const event = (item: Pick<DocketEvent, "type" | "properties">, seq: number | null): FeedItem =>
    // Type and properties were paired by the caller.
    ({ ...item, rootID: session.id, seq }) as FeedItem
  return { createID, session, state, messages, event }
}

function text(state: TreeState, sessionID: string, message: number, part = 0): string | undefined {
  const found = state.transcripts[sessionID]?.messages[message]?.parts[part]
  return found?.type === "text" ? found.text : undefined
}

test("an unchanged message keeps its identity when another one changes", () => {
  const { state, session, messages, event } = setUp()
  const part = messages[1]?.parts[0]
  if (part?.type !== "text") throw new Error("no text part")
  const next = applyEvent(
    state,
    event({ type: "message.part.updated", properties: { part: { ...part, text: "TWO" } } }, 6),
  )
  expect(text(next, session.id, 1)).toBe("TWO")
  expect(next.transcripts[session.id]?.messages[0]).toBe(state.transcripts[session.id]?.messages[0])
  expect(next.seq).toBe(6)
})

test("an event that is older than the fetched page changes nothing", () => {
  const { state, session, messages, event } = setUp()
  const part = messages[0]?.parts[0]
  if (part?.type !== "text") throw new Error("no text part")
  const next = applyEvent(
    state,
    event({ type: "message.part.updated", properties: { part: { ...part, text: "old" } } }, 4),
  )
  expect(text(next, session.id, 0)).toBe("one")
})

test("a delta applies only at its offset; a gap requests the part", () => {
  const { createID, state, session, messages, event } = setUp()
  const info = messages[1]?.info
  if (info === undefined) throw new Error("no message")
  const part = newTextPart(createID, info, "")
  const delta = (offset: number, more: string) =>
    event(
      {
        type: "message.part.delta",
        properties: { sessionID: session.id, messageID: info.id, partID: part.id, offset, text: more },
      },
      null,
    )
  let next = applyEvent(state, event({ type: "message.part.updated", properties: { part } }, 6))
  next = applyEvent(applyEvent(next, delta(0, "Hel")), delta(3, "lo"))
  expect(text(next, session.id, 1, 1)).toBe("Hello")
  next = applyEvent(next, delta(3, "lo"))
  expect(text(next, session.id, 1, 1)).toBe("Hello")
  // The row that was fetched ended within this text.
  next = applyEvent(next, delta(3, "lo, "))
  expect(text(next, session.id, 1, 1)).toBe("Hello, ")
  expect(next.staleParts).toEqual([])
  next = applyEvent(next, delta(9, "!"))
  expect(text(next, session.id, 1, 1)).toBe("Hello, ")
  expect(next.staleParts).toEqual([part.id])
  next = replacePart(next, { ...part, text: "Hello you!" })
  expect(next.staleParts).toEqual([])
  expect(text(next, session.id, 1, 1)).toBe("Hello you!")
})

test("new messages wait for their page while the window shows older ones", () => {
  const { createID, state, session, messages, event } = setUp()
  const window = { items: messages, before: null, after: messages[1]?.info.id ?? "", seq: 5 }
  const middle = addPage(state, session.id, window, "start")
  const added = userMessageWith(createID, session.id, "three")
  const seen = event({ type: "message.updated", properties: { info: added.info } }, 6)
  expect(applyEvent(middle, seen).transcripts[session.id]?.messages).toHaveLength(2)
  expect(applyEvent(state, seen).transcripts[session.id]?.messages).toHaveLength(3)
})

test("removing a session removes its subtree", () => {
  const { createID, state, session, event } = setUp()
  const child = newSession(createID, { parentID: session.id, rootID: session.id, depth: 1 })
  const grandchild = newSession(createID, { parentID: child.id, rootID: session.id, depth: 2 })
  let next = state
  for (const [n, info] of [child, grandchild].entries()) {
    next = applyEvent(next, event({ type: "session.created", properties: { info } }, 6 + n))
  }
  expect(Object.keys(next.sessions)).toHaveLength(3)
  next = applyEvent(next, event({ type: "session.deleted", properties: { sessionID: child.id } }, 8))
  expect(Object.keys(next.sessions)).toEqual([session.id])
  expect(next.removed).toBe(false)
  expect(applyEvent(next, event({ type: "session.deleted", properties: { sessionID: session.id } }, 9)).removed).toBe(
    true,
  )
})

test("parts that arrive before their message are kept", () => {
  const { createID, state, session, event } = setUp()
  const late = userMessageWith(createID, session.id, "first")
  const second = newTextPart(createID, late.info, "second")
  const first = late.parts[0]
  if (!first) throw new Error("no part")
  const steps: FeedItem[] = [
    event({ type: "message.part.updated", properties: { part: second } }, 6),
    event({ type: "message.part.updated", properties: { part: first } }, 7),
    event({ type: "message.updated", properties: { info: late.info } }, 8),
  ]
  const next = steps.reduce(applyEvent, state)
  expect(text(next, session.id, 2, 0)).toBe("first")
  expect(text(next, session.id, 2, 1)).toBe("second")
  expect(next.earlyParts).toEqual({})
})

test("a session shows storing until its next status or row", () => {
  const { state, session, event } = setUp()
  const told = (status: object): FeedItem =>
    event({ type: "session.status", properties: { sessionID: session.id, status } } as DocketEvent, null)
  const storing = { type: "storing", message: "The disk is full." }
  const statusOf = (next: TreeState) => next.sessions[session.id]?.status
  const waiting = applyEvent(state, told(storing))
  expect(statusOf(waiting)).toEqual(storing)
  expect(statusOf(applyEvent(waiting, told({ type: "idle" })))).toEqual({ type: "idle" })
  const row = { ...session, status: { type: "busy" as const } }
  const updated = event({ type: "session.updated", properties: { info: row } }, 6)
  expect(statusOf(applyEvent(waiting, updated))).toEqual({ type: "busy" })
  // Other statuses are taken from the session's row only.
  expect(applyEvent(state, told({ type: "busy" }))).toBe(state)
})

test("only the newest withdrawn prompts are remembered", () => {
  const { createID, state, session, event } = setUp()
  const by = { person: "u1", workspace: "acme", name: "Ada" }
  const turn = (change: Partial<Turn>): Turn => ({
    id: createID("turn"),
    rootID: session.id,
    sessionID: session.id,
    messageID: null,
    attempt: 0,
    epoch: 0,
    status: "aborted",
    input: { parts: [{ type: "text", text: "next" }] },
    error: null,
    time: { created: 1, started: null, ended: 2 },
    ...change,
  })
  const taken = Array.from({ length: 4 }, () => turn({ stoppedBy: by }))
  const others = [
    turn({}),
    turn({ status: "completed", stoppedBy: by }),
    turn({ stoppedBy: by, messageID: createID("message") }),
  ]
  const told = [...taken, ...others].reduce(
    (next, each, index) => applyEvent(next, event({ type: "turn.updated", properties: { turn: each } }, 6 + index)),
    state,
  )
  expect(told.takenBack).toEqual(taken.slice(1))
  expect(told.turns).toEqual({})
  const removed = event({ type: "session.deleted", properties: { sessionID: session.id } }, 20)
  expect(applyEvent(told, removed).takenBack).toEqual([])
})
