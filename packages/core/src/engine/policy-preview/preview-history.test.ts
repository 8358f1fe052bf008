import { expect, test } from "vitest"
import { createIdSource } from "../../ground/id/create-id.ts"
import { defaultRules, mergeRules, rulesFromConfig } from "../../ground/rule/index.ts"
import type { Agent, PermissionConfig, PermissionRequest, Session } from "../../ground/schema/index.ts"
import { createInMemoryStore, type Mutation } from "../../ground/store/index.ts"
import { newSession } from "../../test/entities.ts"
import { previewHistory } from "./preview-history.ts"

/** A project whose agent asks before commands, with its history: `asked` needed a user's answer, `ran` did not. */
async function history({ asked = [], ran = [] }: { asked?: string[]; ran?: { tool: string; input: object }[] }) {
  const createID = createIdSource()
  const store = createInMemoryStore()
  const session: Session = { ...newSession(createID), directory: "/project" }
  const message = { ...promptOf(session), id: createID("message") }
  const base = { rootID: session.id, sessionID: session.id, messageID: message.id }
  const requests = asked.map(
    (command, index): PermissionRequest => ({
      ...base,
      id: createID("permission"),
      callID: `asked-${index}`,
      permission: "bash",
      patterns: [command],
      always: [],
      metadata: { kind: "other" },
      status: "once",
      message: null,
      time: { created: 1_000 + index, replied: 2_000 },
    }),
  )
  const mutations: Mutation[] = [
    { kind: "session", value: session },
    { kind: "message", value: message },
    ...requests.map((value): Mutation => ({ kind: "permission", value })),
    ...ran.map(({ tool, input }, index): Mutation => {
      const time = { start: 1_000, end: 1_001 }
      const state = { status: "completed", input, output: "", title: "", metadata: {}, time } as const
      return {
        kind: "part",
        value: { ...base, id: createID("part"), type: "tool", tool, callID: `ran-${index}`, state },
      }
    }),
  ]
  await store.write.commit([{ rootID: session.id, mutations }])
  const permission = mergeRules(defaultRules(), rulesFromConfig({ bash: { "*": "ask", "ls *": "allow" } }))
  // Only the fields that are read.
  const agents = [{ name: session.agent, permission } as unknown as Agent]
  const ruled = {
    project: { id: session.projectID, worktree: "/project" },
    agents,
    ceilingsOf: () => [],
    home: "/home/me",
  }
  return (typed: PermissionConfig, since = 0) => previewHistory(store, ruled, { since, permission: typed })
}

function promptOf({ id, agent }: Session) {
  return {
    sessionID: id,
    role: "user",
    agent,
    model: { providerID: "test", modelID: "model" },
    time: { created: 1_000 },
  } as const
}

test("a preview counts questions under new rules and names acts that differ", async () => {
  const judge = await history({ asked: ["git status", "git status", "git push"] })
  expect(await judge({ bash: { "git status": "allow" } })).toMatchObject({
    asked: 3,
    wouldAsk: 1,
    wouldRefuse: 0,
    judged: 3,
    changes: [{ permission: "bash", patterns: ["git status"], wasAsked: true, now: "allow", times: 2, at: 1_001 }],
  })
  expect(await judge({ bash: { "git push": "deny" } })).toMatchObject({
    wouldAsk: 2,
    wouldRefuse: 1,
    changes: [{ patterns: ["git push"], now: "deny", times: 1 }],
  })
})

test("acts that ran without asking count when new rules would ask", async () => {
  const judge = await history({
    ran: [
      { tool: "bash", input: { command: "ls src && ls" } },
      { tool: "edit", input: { filePath: "src/a.ts" } },
      { tool: "webfetch", input: { url: "https://example.com" } },
      { tool: "read", input: { filePath: "/etc/passwd" } },
    ],
  })
  expect(await judge({ edit: "ask", bash: { "ls *": "deny" } })).toMatchObject({
    asked: 0,
    wouldAsk: 1,
    wouldRefuse: 1,
    judged: 2,
    unknown: 2,
    changes: expect.arrayContaining([
      expect.objectContaining({ permission: "edit", patterns: ["src/a.ts"], wasAsked: false, now: "ask" }),
      expect.objectContaining({ permission: "bash", wasAsked: false, now: "deny" }),
    ]),
  })
})

test("an act that a grant allowed is not asked under new rules", async () => {
  const judge = await history({ ran: [{ tool: "bash", input: { command: "git push" } }] })
  expect(await judge({ bash: "ask" })).toMatchObject({ asked: 0, wouldAsk: 0, judged: 1, changes: [] })
})

test("a history that is too long is judged in part, with notice", async () => {
  const judge = await history({ asked: Array.from({ length: 1_001 }, (_, index) => `git show ${index}`) })
  const judged = await judge({ bash: "allow" })
  expect(judged).toMatchObject({ asked: 1_000, wouldAsk: 0, more: true })
  expect(judged.changes).toHaveLength(200)
})

test("acts older than requested are left out", async () => {
  const judge = await history({ asked: ["git push"] })
  expect(await judge({ bash: "allow" }, 5_000)).toMatchObject({ asked: 0, judged: 0, changes: [] })
})
