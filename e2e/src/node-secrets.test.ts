import { randomBytes } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { onTestFinished } from "vitest"
import { test } from "./fixtures/nodes-test.ts"
import { expect, settled, startSession, textsOf } from "./fixtures/service-test.ts"
import { callAs, firstOwner } from "./fixtures/team-people.ts"

const mySessions = "/api/trpc/session.list?input=%7B%7D"

/** A provider that wants a key: it notes what it gets, and asks the model. */
async function startProvider(modelUrl: string) {
  const given: (string | undefined)[] = []
  const server = createServer(async (request, response) => {
    given.push(request.headers.authorization)
    const { method = "GET", headers, url } = request
    const type = { "content-type": headers["content-type"] ?? "text/plain" }
    const body = method === "GET" ? null : await new Response(Readable.toWeb(request) as ReadableStream).text()
    const answer = await fetch(`${modelUrl}${url}`, { method, headers: type, body })
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" })
    response.end(Buffer.from(await answer.arrayBuffer()))
  }).listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const models = { keyed: { name: "Keyed", tool_call: true, limit: { context: 200_000, output: 8_192 } } }
  const provider = { npm: "@ai-sdk/openai-compatible", options: { baseURL: `http://127.0.0.1:${port}/v1` }, models }
  return { given, config: { model: "keyed/keyed", small_model: "keyed/keyed", provider: { keyed: provider } } }
}

test("a key saved at a web node is used by the worker", async ({ startNode, project, model }) => {
  model.script({ Hello: [{ text: "Hello." }], Again: [{ text: "Again." }] })
  const { given, config } = await startProvider(model.url)
  await startNode("worker", { project: project.directory, config })
  const { client } = await startNode("web", { config })
  const [opened] = await client.project.list.query()
  const say = async (text: string) => {
    const before = given.length
    const sessionID = await startSession(client, opened?.id ?? "", text)
    await settled(client, sessionID)
    expect(await textsOf(client, sessionID, "assistant")).toEqual([`${text}.`])
    return new Set(given.slice(before))
  }
  await client.provider.saveKey.mutate({ providerID: "keyed", key: "sk-first" })
  expect(await say("Hello")).toEqual(new Set(["Bearer sk-first"]))
  // The worker has read the first one. It reads again within a second.
  await client.provider.saveKey.mutate({ providerID: "keyed", key: "sk-second" })
  await expect.poll(() => say("Again")).toEqual(new Set(["Bearer sk-second"]))
})

test("a login link of one web node works at the other, once", async ({ startNode }) => {
  const [one, two] = [await startNode("web"), await startNode("web")]
  expect(two.token).toBe(one.token)
  const code = new URL(one.loginUrl).hash.slice(1)
  const login = (url: string) =>
    fetch(`${url}/api/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    })
  const answers = await Promise.all([login(two.url), login(one.url), login(two.url)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  const cookie =
    answers
      .find(({ ok }) => ok)
      ?.headers.get("set-cookie")
      ?.split(";")[0] ?? ""
  const statusAt = async (url: string) => (await fetch(url + mySessions, { headers: { cookie } })).status
  expect([await statusAt(one.url), await statusAt(two.url)]).toEqual([200, 200])
})

test("a team's sign-in at one web node holds at the other", async ({ startNode }) => {
  const one = await startNode("web", { team: {} })
  // It has no team.json: its settings come from the database.
  const two = await startNode("web")
  const owner = await firstOwner(one)
  const statusAt = async (port: string) => (await owner.get(`http://localhost:${port}${mySessions}`)).status()
  const ports = [one, two].map(({ url }) => new URL(url).port)
  expect(await Promise.all(ports.map(statusAt))).toEqual([200, 200])
})

test("a workspace made at one web node is known at the other", async ({ startNode }) => {
  const one = await startNode("web", { team: {} })
  const two = await startNode("web")
  const owner = await firstOwner(one)
  const { id } = await callAs<{ id: string }>(owner, "workspace.create", { name: "Shop", id: "shop" })
  await callAs(owner, "workspace.switch", { workspace: id })
  const { port } = new URL(two.url)
  const settingsAt = (where: string) => owner.get(`http://localhost:${where}/api/trpc/workspace.get`)
  await expect.poll(async () => (await settingsAt(port)).status()).toBe(200)
  await callAs(owner, "workspace.switch", { workspace: "local" })
  await callAs(owner, "workspace.removeAny", { workspace: id, name: "Shop" })
  const listed = async () => {
    const answer = await (await owner.get(`http://localhost:${port}/api/trpc/workspace.all`)).json()
    return answer.result.data.map((workspace: { id: string }) => workspace.id)
  }
  await expect.poll(listed).toEqual(["local"])
})

test("a node with another key does not start, and says why", async ({ startNode }) => {
  await startNode("web")
  const other = startNode("web", { secretKey: randomBytes(32).toString("base64") })
  await expect(other).rejects.toThrow(
    "DOCKET_SECRET_KEY is not the key with which the secrets in this database are sealed",
  )
})
