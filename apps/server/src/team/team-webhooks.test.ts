import { createServer, type ServerResponse } from "node:http"
import { type AuditEntry, auditActs } from "@docket/core/schema"
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest"
import { listen } from "../listen.ts"
import { freePort } from "../test/free-port.ts"
import { ada, startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

let service: TeamService
let owner: TeamBrowser

beforeAll(async () => {
  service = await startTeamService({}, [JSON.stringify({ webhooks: { allow: ["127.0.0.1"] } })])
  owner = await service.owner()
})
afterAll(() => service.remove())

async function call<T>(as: TeamBrowser, name: string, input?: object): Promise<T> {
  const { status, data } = await callProcedure(as, name, input)
  expect([name, status]).toEqual([name, 200])
  // The type is that of the procedure.
  return data as T
}

/** A webhook receiver, and the number of its deliveries. */
async function receiver(answer: (response: ServerResponse) => void) {
  let told = 0
  const server = createServer((request, response) => {
    request.resume()
    told += 1
    answer(response)
  })
  const url = await listen(server, "127.0.0.1", 0)
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url, told: () => told }
}

async function hook(as: TeamBrowser, name: string, url: string): Promise<string> {
  const input = { name, url: `${url}/hook`, events: ["session.idle"] }
  return (await call<{ webhook: { id: string } }>(as, "webhook.create", input)).webhook.id
}
const accept = (response: ServerResponse) => void response.writeHead(204).end()

it("administrators see a disabled webhook in the list and audit log", async () => {
  const gone = await receiver((response) => void response.writeHead(410).end())
  const webhookID = await hook(owner, "old chat", gone.url)
  await call(owner, "webhook.test", { webhookID })
  const found = async () =>
    (await call<{ items: AuditEntry[] }>(owner, "audit.list", { act: "webhook.disabled" })).items
  await expect.poll(found).toMatchObject([
    {
      person: { id: "docket", name: "Docket" },
      via: "service",
      targets: { webhook: webhookID, name: "old chat" },
      facts: { why: "answered 410" },
    },
  ])
  const listed = await call<object[]>(owner, "webhook.list")
  expect(listed).toMatchObject([{ status: "disabled", disabled: { why: "gone" } }])
  await call(owner, "webhook.remove", { webhookID })
})

it("removal reports a person's active webhooks, and the list names their owner", async () => {
  const { url } = await receiver(accept)
  const gina = await joinTeam(service, owner, "Gina", "admin")
  const [active, paused] = [await hook(gina.browser, "hers", url), await hook(gina.browser, "old", url)]
  await call(owner, "webhook.update", { webhookID: paused, status: "paused" })
  await hook(owner, "of another", url)
  expect(await call(owner, "team.remove", { person: gina.person })).toMatchObject({ webhooks: 1 })
  const listed = await call<{ id: string; by: object }[]>(owner, "webhook.list")
  expect(listed.find(({ id }) => id === active)?.by).toMatchObject({ person: gina.person, name: "Gina" })
  for (const { id } of listed) await call(owner, "webhook.remove", { webhookID: id })
})

it("each act on a webhook has its own audit log text", async () => {
  const takesAll = await receiver(accept)
  const since = Date.now()
  const webhookID = await hook(owner, "chat", takesAll.url)
  for (const change of [{ status: "paused" }, { status: "active" }, { events: ["task.failed"] }])
    await call(owner, "webhook.update", { webhookID, ...change })
  const { id: deliveryID } = await call<{ id: string }>(owner, "webhook.test", { webhookID })
  await expect.poll(takesAll.told).toBe(1)
  await call(owner, "webhook.redeliver", { deliveryID })
  await call(owner, "webhook.rotate", { webhookID })
  await call(owner, "webhook.remove", { webhookID })
  const { items } = await call<{ items: AuditEntry[] }>(owner, "audit.list", { since })
  expect(items.toReversed().map(({ act }) => auditActs[act])).toEqual([
    "made a webhook",
    "paused a webhook",
    "started a webhook again",
    "changed a webhook",
    "tested a webhook",
    "sent a delivery of a webhook again",
    "gave a webhook a new secret",
    "removed a webhook",
  ])
  for (const { targets } of items) expect(targets).toMatchObject({ webhook: webhookID, name: "chat" })
})

it("slow and dead receivers delay no other webhook or workspace", async () => {
  await call(owner, "workspace.create", { name: "Globex" })
  const elsewhere = service.browser()
  await elsewhere.post("/api/auth/sign-in/email", { email: ada.email, password: ada.password })
  await call(elsewhere, "workspace.switch", { workspace: "globex" })
  const [silent, ours, theirs] = [await receiver(() => {}), await receiver(accept), await receiver(accept)]
  const slow = await hook(owner, "slow", silent.url)
  const dead = await hook(owner, "dead", `http://127.0.0.1:${await freePort()}`)
  const [good, other] = [await hook(owner, "good", ours.url), await hook(elsewhere, "other", theirs.url)]
  const count = 40
  for (let n = 0; n < count; n += 1) {
    await call(owner, "webhook.test", { webhookID: slow })
    await call(owner, "webhook.test", { webhookID: dead })
  }
  await expect.poll(silent.told).toBeGreaterThan(0)
  for (let n = 0; n < 5; n += 1) {
    await call(owner, "webhook.test", { webhookID: good })
    await call(elsewhere, "webhook.test", { webhookID: other })
  }
  await expect.poll(() => [ours.told(), theirs.told()]).toEqual([5, 5])
  // With a shared queue, these deliveries would have come after all others.
  expect(silent.told()).toBeLessThan(count)
  expect(await call(owner, "webhook.list")).toMatchObject([
    { id: slow, status: "active", counts: { delivered: 0, waiting: count } },
    { id: dead, status: "active", failing: { since: expect.any(Number) }, counts: { delivered: 0, waiting: count } },
    { id: good, failing: null },
  ])
  expect(await call(elsewhere, "webhook.list")).toMatchObject([{ id: other, failing: null }])
})
