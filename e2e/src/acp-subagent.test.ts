import { execFileSync } from "node:child_process"
import path from "node:path"
import type { DocketClient } from "@docket/client"
import { vi } from "vitest"
import { test as base, expect, settled, startSession, textsOf, toolParts } from "./fixtures/service-test.ts"

const agent = path.join(import.meta.dirname, "../../packages/acp/src/test/scripted-agent.mjs")

const test = base.override("config", {
  delegation: { envelope: false },
  permission: { "*": "allow", bash: "ask" },
  agent: {
    helper: {
      description: "Does what it is told.",
      // What the sandbox does for such a program is tested beside its code.
      acp: { command: process.execPath, args: [agent, "", "resume"], sandbox: false },
    },
  },
})

const command = (id: string, text: string) => ({
  ...{ toolCallId: id, title: `Run ${text}`, kind: "execute", rawInput: { command: text } },
})

/** The only child of a session. */
async function childOf(client: DocketClient, sessionID: string) {
  const { sessions } = await client.session.tree.query({ sessionID })
  const child = sessions.find(({ parentID }) => parentID === sessionID)
  if (child === undefined) throw new Error("There is no child yet.")
  return child
}

/** Processes that carry the mark of a session's work. */
function processesOf(sessionID: string): number {
  const found = execFileSync("sh", ["-c", `grep -laz "${sessionID}" /proc/[0-9]*/environ 2>/dev/null || true`])
  return found
    .toString()
    .split("\n")
    .filter((line) => line !== "").length
}

test("an agent of another program asks, changes a file, and is reviewed", async ({
  client,
  model,
  project,
  projectID,
}) => {
  const file = path.join(project.directory, "src/greeting.js")
  const acts = [
    { update: { sessionUpdate: "plan", entries: [{ content: "Greet", status: "in_progress", priority: "high" }] } },
    { ask: command("1", "npm run greet") },
    { edit: { path: file, content: "export const greeting = 'Hi'\n" } },
    { say: "Greeted." },
  ]
  model.script({
    "Delegate it": [
      {
        calls: [
          { tool: "task", args: { description: "Greet", prompt: JSON.stringify(acts), subagent_type: "helper" } },
        ],
      },
      { text: "Done." },
    ],
  })
  const sessionID = await startSession(client, projectID, "Delegate it")
  const request = await vi.waitFor(
    async () => {
      const { permissions } = await client.session.tree.query({ sessionID })
      const [first] = permissions
      if (first === undefined) throw new Error("Nothing is asked yet.")
      return first
    },
    { timeout: 60_000, interval: 50 },
  )
  const child = await childOf(client, sessionID)
  expect(request).toMatchObject({ permission: "bash", patterns: ["npm run greet"], sessionID: child.id })
  await client.permission.reply.mutate({ requestID: request.id, reply: "once" })
  await settled(client, sessionID)
  expect(await textsOf(client, child.id, "assistant")).toEqual(["Greeted."])
  const todos = await client.todo.list.query({ sessionID: child.id })
  expect(todos).toMatchObject([{ content: "Greet", status: "in_progress" }])
  const { changes } = await client.changes.list.query({ sessionID })
  expect(changes).toMatchObject([{ path: "src/greeting.js", sessionID: child.id, agent: "helper" }])
  expect(processesOf(child.id)).toBe(0)
})

test("an agent does not outlive a killed service, and is resumed", async ({ client, model, projectID, server }) => {
  const again = [{ say: "Second." }]
  const script = (prompt: object[], more: object = {}) => ({
    calls: [
      {
        tool: "task",
        args: { description: "Wait", prompt: JSON.stringify(prompt), subagent_type: "helper", ...more },
      },
    ],
  })
  model.script({
    "Delegate it": [script([{ say: "First." }, { children: 2 }, { wait: "I wait." }]), { text: "Over." }],
  })
  const sessionID = await startSession(client, projectID, "Delegate it")
  const child = await vi.waitFor(
    async () => {
      const found = await childOf(client, sessionID)
      expect(await textsOf(client, found.id, "assistant")).toContain("First.I wait.")
      return found
    },
    { timeout: 60_000, interval: 50 },
  )
  expect(processesOf(child.id)).toBeGreaterThanOrEqual(3)
  await server.kill()
  await vi.waitFor(() => expect(processesOf(child.id)).toBe(0), { timeout: 30_000, interval: 50 })
  await server.restart()
  await settled(client, sessionID)
  expect((await toolParts(client, sessionID))[0]?.state.status).toBe("error")

  model.script({ "Go on with it": [script(again, { task_id: child.id }), { text: "Done." }] })
  await client.session.promptAsync.mutate({ sessionID, parts: [{ type: "text", text: "Go on with it" }] })
  await settled(client, sessionID)
  const { items } = await client.session.messages.query({ sessionID: child.id })
  const programs = items.flatMap(({ info }) => (info.role === "assistant" && info.program ? [info.program] : []))
  expect(programs.map(({ begun }) => begun)).toEqual(["new", "resumed"])
  expect(programs[1]).toMatchObject({ outside: expect.stringContaining("sandbox") })
})

test("a question of a killed agent closes, and its child goes on", async ({ client, model, projectID, server }) => {
  const args = { description: "Ask", prompt: JSON.stringify([{ ask: command("1", "make") }]), subagent_type: "helper" }
  model.script({ "Delegate it": [{ calls: [{ tool: "task", args }] }, { text: "Done." }] })
  const sessionID = await startSession(client, projectID, "Delegate it")
  const openRequests = async () => (await client.session.tree.query({ sessionID })).permissions
  await vi.waitFor(async () => expect(await openRequests()).toHaveLength(1), { timeout: 60_000, interval: 50 })
  const child = await childOf(client, sessionID)
  await server.kill()
  await server.restart()
  await settled(client, sessionID)
  expect(await openRequests()).toEqual([])
  expect(await textsOf(client, child.id, "assistant")).toEqual(["Told."])
  expect((await toolParts(client, child.id)).map(({ state }) => state.status)).toEqual(["error"])
  expect(await textsOf(client, sessionID, "assistant")).toEqual(["Done."])
  expect(processesOf(child.id)).toBe(0)
})
