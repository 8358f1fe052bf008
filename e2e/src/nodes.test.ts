import { randomBytes } from "node:crypto"
import { createServer } from "node:http"
import { hostname } from "node:os"
import { createDocketClient, type DocketClient } from "@docket/client"
import type { ToolPart } from "@docket/core/schema"
import { describe, onTestFinished } from "vitest"
import { startDocket } from "./fixtures/docket-server.ts"
import { modelConfig } from "./fixtures/model-config.ts"
import { test as base } from "./fixtures/nodes-test.ts"
import { runDocket } from "./fixtures/run-docket.ts"
import { expect, settled, startSession, textsOf, toolParts } from "./fixtures/service-test.ts"

const test = base.override("config", () => ({
  ...{ delegation: { envelope: false }, permission: "allow", webhooks: { allow: ["127.0.0.1"] } },
}))

const statesOf = (parts: ToolPart[]) => parts.map(({ state }) => state.status)
const prompt = (client: DocketClient, sessionID: string, text: string) =>
  client.session.promptAsync.mutate({ sessionID, parts: [{ type: "text", text }] })

test("a prompt at the web node runs where its project is", async ({ startNode, project, model }) => {
  model.script({
    "List the files": [{ calls: [{ tool: "bash", args: { command: "ls", description: "lists" } }] }, { text: "Done." }],
    Next: [{ text: "Next." }],
  })
  const worker = await startNode("worker", { project: project.directory })
  const web = await startNode("web")
  const [opened] = await web.client.project.list.query()
  if (opened === undefined) throw new Error("there is no project")
  expect(opened.directory).toBe(project.directory)
  const { id: sessionID } = await web.client.session.create.mutate({ projectID: opened.id })
  await prompt(web.client, sessionID, "List the files")
  await expect.poll(async () => (await web.client.session.get.query({ sessionID })).ended?.how).toBe("completed")
  const { items } = await worker.client.session.messages.query({ sessionID })
  expect(items.at(-1)?.parts.flatMap((part) => (part.type === "text" ? [part.text] : []))).toEqual(["Done."])
  // The web node has no directories: it asks the host for files.
  const found = await web.client.project.files.query({ projectID: opened.id, query: "greeting" })
  expect(found).toContain("src/greeting.js")
})

test("a directory is opened on one of several hosts", async ({ startNode, project, model }) => {
  model.script({ Work: [{ text: "Done." }] })
  await startNode("worker", { project: null })
  await startNode("worker", { project: null, storage: "team" })
  const { client } = await startNode("web")
  await expect.poll(async () => (await client.project.places.query()).length).toBe(2)
  const { directory } = project
  await expect(client.project.open.mutate({ directory })).rejects.toThrow("Several hosts have directories")
  const place = "storage:team"
  const { entries } = await client.project.directories.query({ path: directory, place })
  expect(entries).toContainEqual({ name: "src", git: false })
  const opened = await client.project.open.mutate({ directory, place })
  expect(opened).toMatchObject({ directory, place, git: true })
  // Once it is open somewhere, its path is enough.
  expect((await client.project.open.mutate({ directory })).id).toBe(opened.id)
  const sessionID = await startSession(client, opened.id, "Work")
  await settled(client, sessionID)
  expect(await textsOf(client, sessionID, "assistant")).toEqual(["Done."])
})

test("after kill -9, the next worker of the host goes on", async ({ startNode, project, model }) => {
  model.script({
    Work: [{ calls: [{ tool: "bash", args: { command: "sleep 600", description: "waits" } }] }, { text: "Done." }],
    Next: [{ text: "Next." }],
  })
  const worker = await startNode("worker", { project: project.directory })
  const web = await startNode("web")
  const [opened] = await web.client.project.list.query()
  const { id: sessionID } = await web.client.session.create.mutate({ projectID: opened?.id ?? "" })
  await prompt(web.client, sessionID, "Work")
  await expect
    .poll(async () => (await toolParts(web.client, sessionID)).map(({ state }) => state.status))
    .toEqual(["running"])
  await worker.kill()
  // Nobody else has the files: the turn waits for the host, and who asks for them learns its name.
  await prompt(web.client, sessionID, "Next")
  const files = web.client.project.files.query({ projectID: opened?.id ?? "", query: "" })
  await expect(files).rejects.toThrow(
    `This waits for host ${hostname()}, which has the files. Start Docket there again`,
  )
  await worker.restart()
  await settled(web.client, sessionID)
  expect(await textsOf(web.client, sessionID, "assistant")).toEqual(["Done.", "Next."])
  const [call] = await toolParts(web.client, sessionID)
  expect(call?.state).toMatchObject({ status: "error", error: expect.stringContaining("Interrupted") })
})

test("a drained worker ends its work; new sessions wait until it resumes", async ({ startNode, project, model }) => {
  const command = "until test -e go; do sleep 0.1; done"
  model.script({
    Work: [{ calls: [{ tool: "bash", args: { command, description: "waits" } }] }, { text: "Done." }],
    Next: [{ text: "Next." }],
  })
  const worker = await startNode("worker", { project: project.directory })
  const { client } = await startNode("web")
  const [opened] = await client.project.list.query()
  const begin = async (text: string) => {
    const { id } = await client.session.create.mutate({ projectID: opened?.id ?? "" })
    await prompt(client, id, text)
    return id
  }
  const listed = async () => {
    const { nodes, queues } = await client.nodes.list.query()
    return { queues, counts: nodes.map(({ role, state, atWork, waiting }) => [role, state, atWork, waiting]) }
  }
  const running = await begin("Work")
  await expect.poll(async () => statesOf(await toolParts(client, running))).toEqual(["running"])
  const web = ["web", "live", 0, 0]
  expect(await listed()).toEqual({ queues: [], counts: [web, ["worker", "live", 1, 0]] })
  const { nodes } = await worker.client.nodes.list.query()
  expect(nodes.map(({ role, isHere }) => [role, isHere])).toEqual([
    ["web", false],
    ["worker", true],
  ])
  const nodeID = nodes[1]?.id ?? ""

  await client.nodes.drain.mutate({ nodeID })
  // It learns that at its next sign, and takes nothing more by the one after it.
  for (const _ of ["learns", "stopped"]) {
    const seen = async () => (await client.nodes.list.query()).nodes.find(({ id }) => id === nodeID)?.time.seen
    const before = await seen()
    await expect.poll(seen).not.toBe(before)
  }
  const waiting = await begin("Next")
  const place = { place: expect.stringContaining("host:"), name: expect.any(String) }
  const awaited = { kind: "host", name: hostname(), why: "draining" }
  const queues = [{ ...place, waiting: 1, isServed: false, awaited }]
  expect(await listed()).toEqual({ queues, counts: [web, ["worker", "draining", 1, 1]] })
  await project.write("go", "")
  await settled(client, running)
  expect(await textsOf(client, running, "assistant")).toEqual(["Done."])
  await client.nodes.resume.mutate({ nodeID })
  await settled(client, waiting)
  expect(await textsOf(client, waiting, "assistant")).toEqual(["Next."])
  expect(await listed()).toEqual({ queues: [], counts: [web, ["worker", "live", 0, 0]] })
})

test("a service of one process becomes nodes by one command", async ({ databaseUrl, project, model, config }) => {
  if (databaseUrl === null) throw new Error("nodes need PostgreSQL")
  model.script({
    Before: [{ text: "Before." }],
    Work: [{ calls: [{ tool: "bash", args: { command: "sleep 600", description: "waits" } }] }, { text: "Done." }],
    After: [{ text: "After." }],
  })
  const alone = { project: project.directory, web: false, config: modelConfig(model.url, config) }
  const one = await startDocket(alone)
  const old = createDocketClient({ url: one.url, token: one.token })
  const { id: projectID } = await old.project.open.mutate({ directory: project.directory })
  const sessionID = await startSession(old, projectID, "Before")
  await settled(old, sessionID)
  await prompt(old, sessionID, "Work")
  await expect.poll(async () => statesOf(await toolParts(old, sessionID))).toEqual(["running"])
  await one.kill()

  const env = { DATABASE_URL: databaseUrl, DOCKET_SECRET_KEY: randomBytes(32).toString("base64") }
  const toNodes = () => runDocket(["to-nodes", "--json", "--data", one.data], { cwd: one.data, home: one.data, env })
  const first = await toNodes()
  expect(first.code, first.stderr).toBe(0)
  expect(JSON.parse(first.stdout)).toEqual({ ok: true, projects: 1, sessions: 1 })
  expect(JSON.parse((await toNodes()).stdout)).toEqual({ ok: true, projects: 0, sessions: 0 })

  const node = (role: string) => ({ ...alone, env, args: ["--role", role] })
  const worker = await startDocket({ ...node("worker"), data: one.data })
  const web = await startDocket({ ...node("web"), project: null })
  try {
    const client = createDocketClient({ url: web.url, token: web.token })
    await settled(client, sessionID)
    await prompt(client, sessionID, "After")
    await settled(client, sessionID)
    expect(await textsOf(client, sessionID, "assistant")).toEqual(["Before.", "Done.", "After."])
    expect((await client.project.list.query()).map(({ id }) => id)).toEqual([projectID])
  } finally {
    await web.stop()
    await worker.stop()
  }
})

describe("two workers with the same directories", () => {
  const dig = (n: number) => ({
    ...{ tool: "task", args: { description: `dig ${n}`, prompt: `dig ${n}`, subagent_type: "explore" } },
  })
  const slow = { calls: [{ tool: "bash", args: { command: "sleep 600", description: "waits" } }] }
  const work = async (client: DocketClient) => {
    const [opened] = await client.project.list.query()
    return await startSession(client, opened?.id ?? "", "Work")
  }

  test("one that is stopped gives its turn to the other", async ({ startNode, project, model }) => {
    model.script({ Work: [slow, { text: "Done." }] })
    const shared = { project: project.directory, storage: "team" }
    const first = await startNode("worker", shared)
    const web = await startNode("web")
    const sessionID = await work(web.client)
    await expect.poll(async () => statesOf(await toolParts(web.client, sessionID))).toEqual(["running"])
    await startNode("worker", shared)
    await first.stop()
    await settled(web.client, sessionID)
    expect(await textsOf(web.client, sessionID, "assistant")).toEqual(["Done."])
    expect(statesOf(await toolParts(web.client, sessionID))).toEqual(["error"])
  })

  test("kill -9 with three children: the other ends the tree", async ({ startNode, project, model }) => {
    model.script({
      Work: [{ calls: [dig(1), dig(2), dig(3)] }, { text: "Done." }],
      ...{ "dig 1": [slow], "dig 2": [slow], "dig 3": [slow] },
    })
    const shared = { project: project.directory, storage: "team" }
    const first = await startNode("worker", shared)
    const web = await startNode("web")
    const sessionID = await work(web.client)
    const children = async () => (await web.client.session.tree.query({ sessionID })).tasks
    await expect.poll(async () => (await children()).map(({ state }) => state)).toEqual(Array(3).fill("running"))
    await startNode("worker", shared)
    await first.kill()
    await settled(web.client, sessionID)
    expect((await children()).map(({ number, state }) => [number, state])).toEqual(
      [1, 2, 3].map((number) => [number, "interrupted"]),
    )
    expect(await textsOf(web.client, sessionID, "assistant")).toEqual(["Done."])
  })

  test("a schedule fires once, and its webhook is told once", async ({ startNode, project, model }) => {
    model.script({ "Check the deploy": [{ text: "All is well." }] })
    const receiver = await startReceiver()
    const shared = { project: project.directory, storage: "team" }
    await startNode("worker", shared)
    await startNode("worker", shared)
    const { client } = await startNode("web")
    const [opened] = await client.project.list.query()
    const projectID = opened?.id ?? ""
    const hook = { name: "chat", url: receiver.url, events: ["session.idle" as const] }
    const { webhook } = await client.webhook.create.mutate(hook)
    const { id } = await client.schedule.create.mutate({
      ...{ projectID, when: "in 0 minutes", message: "Check the deploy" },
    })
    const runs = async () => (await client.schedule.runs.query({ schedule: id })).map(({ status }) => status)
    await expect.poll(runs, { timeout: 30_000 }).toEqual(["succeeded"])
    const delivered = async () => (await client.webhook.deliveries.query({ status: "delivered" })).items
    await expect.poll(delivered, { timeout: 30_000 }).toHaveLength(1)
    await client.webhook.test.mutate({ webhookID: webhook.id })
    await expect.poll(delivered, { timeout: 30_000 }).toHaveLength(2)
    expect(receiver.ids).toHaveLength(2)
    expect(new Set(receiver.ids).size).toBe(2)
    expect(await runs()).toEqual(["succeeded"])
  })
})

/** A receiver of webhooks, with the ids of what it got. */
async function startReceiver() {
  const ids: unknown[] = []
  const server = createServer((request, response) => {
    ids.push(request.headers["webhook-id"])
    request.resume().on("end", () => response.writeHead(204).end())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the receiver has no port")
  return { ids, url: `http://127.0.0.1:${address.port}/` }
}
