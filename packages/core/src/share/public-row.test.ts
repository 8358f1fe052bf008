import { expect, test } from "vitest"
import { createIdSource } from "../id/create-id.ts"
import { Share, type Task } from "../schema/index.ts"
import { taskSummary } from "../store/index.ts"
import { newSession } from "../test/entities.ts"
import { publicRow } from "./public-row.ts"

const createID = createIdSource()
const session = newSession(createID, { directory: "/home/alice/work" })
const share = Share.parse({
  id: createID("share"),
  rootID: session.id,
  secretHash: "0".repeat(64),
  time: { created: 1, revoked: null },
})
const by = { person: "ada", workspace: "acme" }

test("readers of a share do not learn who works on it, what is allowed, and where it lies", () => {
  const notes = [{ id: "n", text: "for the agent" }]
  const rules = [{ permission: "bash", pattern: "*", action: "ask" as const }]
  const value = { ...session, by, notes, permission: rules, read: { ada: 1 } }
  const told = JSON.stringify(publicRow({ kind: "session", value }, share))
  for (const own of ["ada", "for the agent", "bash", "/home"]) expect(told).not.toContain(own)
})

test("readers of a share learn that a child waited, not what it asked leave for and who gave it", () => {
  const answer = { status: "once" as const, asked: "rm -rf build", by }
  // Only what is told of the end and of waits matters.
  const task = { by, result: null, resultPath: "/data/x", moments: [{ kind: "wait", from: 1, until: 2, answer }] }
  const value = taskSummary(task as unknown as Task)
  expect(publicRow({ kind: "task", value }, share)).toMatchObject({
    resultPath: null,
    moments: [{ kind: "wait", from: 1, until: 2 }],
  })
  expect(JSON.stringify(publicRow({ kind: "task", value }, share))).not.toMatch(/ada|rm -rf/)
})
