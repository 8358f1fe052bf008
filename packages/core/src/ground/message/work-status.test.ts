import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, test } from "vitest"
import { newSession } from "../../test/entities.ts"
import { createIdSource } from "../id/create-id.ts"
import type { PermissionRequest, Session, SessionEnd, TaskState, TaskSummary } from "../schema/index.ts"
import { isUnread, listStatus, sessionStatus, taskStatus, treeStatuses } from "./work-status.ts"

const createID = createIdSource()
const root = newSession(createID)
const busy = { status: { type: "busy" } } as const
const child = (under: Session, change: Partial<Session> = {}) =>
  newSession(createID, { parentID: under.id, rootID: root.id, depth: under.depth + 1, ...change })
const end = (how: SessionEnd["how"], at = 5) => ({ ended: { how, at } })
// Only the fields that the statuses depend on.
const task = ({ id }: Session, state: TaskState, ended: number | null, number = 1) =>
  ({ number, sessionID: id, state, time: { created: 1, started: 1, ended } }) as TaskSummary
const asks = ({ id }: Session, status: PermissionRequest["status"] = "pending") =>
  ({ sessionID: id, status }) as PermissionRequest

const item = (session: Session, running = 0, needsYou = 0) => listStatus({ session, running, needsYou }, "ann")

test("a session shows how its last turn ended, nothing before its first", () => {
  expect(sessionStatus(root, null)).toBe(null)
  expect(sessionStatus({ ...root, ...end("completed") }, null)).toBe("done")
  expect(sessionStatus({ ...root, ...end("failed") }, null)).toBe("failed")
  expect(sessionStatus({ ...root, ...end("stopped") }, null)).toBe("stopped")
  expect(sessionStatus({ ...root, ...end("failed"), ...busy }, null)).toBe("running")
  const retrying = { status: { type: "retry", attempt: 2, message: "overloaded", next: 9 } } as const
  expect(sessionStatus({ ...root, ...retrying }, null)).toBe("running")
})

test("a session done before another was stopped stays done", () => {
  expect(sessionStatus({ ...root, ...end("completed"), abortedAt: 9 }, null)).toBe("done")
})

test("an older session without a stored end shows done or stopped", () => {
  const used = { ...root, tokens: { ...root.tokens, output: 5 } }
  expect(sessionStatus(used, null)).toBe("done")
  expect(sessionStatus({ ...used, abortedAt: 9 }, null)).toBe("stopped")
})

test("the newest task decides the status until a later turn ends", () => {
  const session = child(root, end("completed"))
  expect(sessionStatus(session, task(session, "failed", 6))).toBe("failed")
  expect(sessionStatus(session, task(session, "failed", 4))).toBe("done")
  expect(sessionStatus(session, task(session, "queued", null))).toBe("queued")
  expect(taskStatus("timed_out")).toBe("failed")
  expect(taskStatus("interrupted")).toBe("stopped")
})

test("waiting or running statuses move up the tree, and waiting comes first", () => {
  const ended = { ...root, ...end("completed") }
  const middle = child(root, end("failed"))
  const deep = child(middle, busy)
  const beside = child(root, end("stopped"))
  const statuses = (permissions: PermissionRequest[]) => {
    const found = treeStatuses({ sessions: [ended, middle, deep, beside], permissions, tasks: [] })
    return [ended, middle, deep, beside].map(({ id }) => found.get(id))
  }
  expect(statuses([])).toEqual(["running", "running", "running", "stopped"])
  expect(statuses([asks(deep)])).toEqual(["needs", "needs", "needs", "stopped"])
  expect(statuses([asks(deep, "once")])).toEqual(["running", "running", "running", "stopped"])
})

test("a session waits exactly when it or a session below has requests", () => {
  const shape = fc.array(fc.record({ under: fc.nat(), asks: fc.boolean(), busy: fc.boolean() }), { maxLength: 12 })
  fc.assert(
    fc.property(shape, (drawnSessions) => {
      const sessions = [root]
      for (const { under, busy: works } of drawnSessions) {
        const parent = sessions[under % sessions.length] ?? root
        sessions.push(child(parent, works ? busy : end("completed")))
      }
      const asking = sessions.slice(1).filter((_, index) => drawnSessions[index]?.asks)
      const statuses = treeStatuses({ sessions, permissions: asking.map((session) => asks(session)), tasks: [] })
      const below = (top: Session): Session[] => [
        top,
        ...sessions.filter(({ parentID }) => parentID === top.id).flatMap(below),
      ]
      for (const session of sessions) {
        const members = below(session)
        expect(statuses.get(session.id) === "needs").toBe(members.some((member) => asking.includes(member)))
        const works = members.some(({ status }) => status.type !== "idle")
        if (statuses.get(session.id) !== "needs") expect(statuses.get(session.id) === "running").toBe(works)
      }
    }),
    drawn(),
  )
})

test("a list shows an end until each person has read it", () => {
  const failed = { ...root, ...end("failed") }
  expect(item(failed)).toBe("failed")
  expect(item({ ...root, ...end("completed") })).toBe("unread")
  expect(item({ ...failed, read: { bob: 5 } })).toBe("failed")
  expect(item({ ...failed, read: { ann: 5 } })).toBe(null)
  expect(item({ ...failed, read: { ann: 4 } })).toBe("failed")
  expect(item(root)).toBe(null)
  expect(item(failed, 1)).toBe("running")
  expect(item(failed, 1, 1)).toBe("needs")
})

test("a child's end never counts as unread for a person", () => {
  expect(isUnread(child(root, end("failed")), "ann")).toBe(false)
})

test("nothing of a tree runs while its host is away", () => {
  const ended = { ...root, ...end("completed") }
  const [working, waiting, failed] = [child(root, busy), child(root), child(root, end("failed"))]
  const rows = { sessions: [ended, working, waiting, failed], tasks: [task(waiting, "queued", null)] }
  const statuses = (permissions: PermissionRequest[]) => {
    const found = treeStatuses({ ...rows, permissions }, true)
    return rows.sessions.map(({ id }) => found.get(id))
  }
  expect(statuses([])).toEqual(["away", "away", "away", "failed"])
  expect(statuses([asks(working)])).toEqual(["needs", "needs", "away", "failed"])
  expect(listStatus({ session: ended, running: 1, needsYou: 0 }, "ann", true)).toBe("away")
  expect(listStatus({ session: ended, running: 1, needsYou: 1 }, "ann", true)).toBe("needs")
})
