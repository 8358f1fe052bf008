import { missingSessionText } from "@docket/core/missing-session-text"
import type { AuditEntry } from "@docket/core/schema"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

let service: TeamService
let owner: TeamBrowser

beforeAll(async () => {
  service = await startTeamService()
  owner = await service.owner()
})
afterAll(() => service.remove())

/** Calls a tool of `/mcp` with a new key, without a session of the protocol. */
async function callTool(made: object, name: string, given: object) {
  const { data } = await callProcedure(owner, "team.createKey", { name: `for ${name}`, ...made })
  const headers = {
    authorization: `Bearer ${(data as { key: string }).key}`,
    accept: "application/json, text/event-stream",
  }
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }
  const response = await service.browser().post("/mcp", message, headers)
  const text = await response.text()
  const { result } = JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text) as {
    result: { isError?: boolean; content: { text: string }[]; structuredContent: Record<string, unknown> }
  }
  return { isError: result.isError === true, text: result.content[0]?.text, data: result.structuredContent }
}

it("a key delegates only when its role and its list allow it", async () => {
  const given = { agent: "explore", prompt: "look around" }
  const viewer = await callTool({ role: "viewer" }, "delegate", given)
  expect([viewer.isError, viewer.text]).toEqual([true, expect.stringContaining("one has to be a member")])
  const reader = await callTool({ role: "member", capabilities: ["read"] }, "delegate", given)
  expect([reader.isError, reader.text]).toEqual([true, expect.stringContaining("It is limited to: read.")])
  expect((await callTool({ role: "viewer" }, "list_agents", {})).isError).toBe(false)
  expect((await callTool({ role: "member" }, "delegate", given)).isError).toBe(false)
})

it("what a key delegates is in the audit log, with its task", async () => {
  const { data } = await callTool({ role: "member" }, "delegate", { agent: "explore", prompt: "a secret plan" })
  const answer = await owner.get(`/api/trpc/audit.list?input=${encodeURIComponent(JSON.stringify({ limit: 5 }))}`)
  const { items } = ((await answer.json()) as { result: { data: { items: AuditEntry[] } } }).result.data
  expect(items[0]).toMatchObject({
    ...{ act: "prompted", call: "mcp delegate", via: "key", credential: "for delegate", person: { name: "Ada" } },
    targets: { task: data.task, session: data.session },
    facts: { agent: "explore" },
  })
  expect(JSON.stringify(items)).not.toContain("a secret plan")
})

it("a colleague's private work is not there for a key", async () => {
  const bob = await joinTeam(service, owner, "Bob", "member")
  const [project] = (await callProcedure(owner, "project.list")).data as { id: string }[]
  const made = await callProcedure(bob.browser, "session.create", { projectID: project?.id, visibility: "author" })
  const session = (made.data as { id: string }).id
  const todo = { session, content: "a hidden todo" }
  const refused = await callTool({ role: "member" }, "todo_update", todo)
  expect([refused.isError, refused.text]).toEqual([true, missingSessionText(session)])
  expect((await callTool({ role: "member" }, "todo_list", { session })).isError).toBe(true)
})
