import { afterAll, beforeAll, expect, it } from "vitest"
import { z } from "zod"
import { type HeldRequest, holdRequest } from "./test/hold-request.ts"
import { startTeamService, type TeamBrowser, type TeamService } from "./test/start-team-service.ts"
import { callProcedure, joinTeam } from "./test/team-calls.ts"

let service: TeamService
let owner: TeamBrowser
/** The query that names the project of an import. */
let query: string

beforeAll(async () => {
  service = await startTeamService()
  owner = await service.owner()
  const [project] = z.array(z.object({ id: z.string() })).parse((await callProcedure(owner, "project.list")).data)
  query = `project=${project?.id}`
})
afterAll(() => service.remove())

const asPage = (browser: TeamBrowser) => ({
  cookie: browser.cookie(),
  origin: service.url,
  "sec-fetch-site": "same-origin",
})
const hold = (path: string, headers: Record<string, string>, body: object = { no: "session" }) =>
  holdRequest(service.url + path, { headers, body })
const firstRefused = (held: readonly HeldRequest[]) => Promise.race(held.map(({ refused }) => refused))
const statusOf = async (held: HeldRequest) => (await held.finish()).status

it("simultaneous imports are limited to two per person, four per workspace", async () => {
  const [ada, finn] = [asPage(owner), asPage((await joinTeam(service, owner, "Finn", "member")).browser)]
  const made = await callProcedure(owner, "team.createKey", { name: "importer", role: "member" })
  const byKey = { authorization: `Bearer ${z.object({ key: z.string() }).parse(made.data).key}` }
  const held = [
    await hold(`/api/import?${query}`, ada),
    await hold(`/v1/sessions/import?${query}`, byKey),
    await hold(`/api/import?${query}`, ada),
  ]
  // The third upload is refused as soon as the two others have begun.
  expect(await firstRefused(held)).toBe(429)
  const more = await owner.post(`/api/import?${query}`, {})
  expect([more.status, more.headers.get("retry-after")]).toEqual([429, "5"])
  const byOther = await service.browser().post(`/v1/sessions/import?${query}`, {}, byKey)
  expect([byOther.status, await byOther.json()]).toEqual([429, expect.objectContaining({ reason: "import_limit" })])
  const ofFinn = await hold(`/api/import?${query}`, finn)
  expect(await statusOf(ofFinn)).toBe(400)
  expect((await Promise.all(held.map(statusOf))).sort()).toEqual([400, 400, 429])
  await expect.poll(async () => (await owner.post(`/api/import?${query}`, {})).status).toBe(400)
})

it("a person's simultaneous large requests are limited, small ones still pass", async () => {
  const gil = await joinTeam(service, owner, "Gil", "member")
  const body = { sessionID: null, content: "x".repeat(70_000) }
  const held: HeldRequest[] = []
  for (let at = 0; at < 33; at += 1) held.push(await hold("/api/trpc/todo.create", asPage(gil.browser), body))
  expect(await firstRefused(held)).toBe(429)
  const more = await gil.browser.post("/api/trpc/todo.create", body)
  expect([more.status, more.headers.get("retry-after")]).toEqual([429, "1"])
  const chunked = { ...asPage(gil.browser), "content-type": "application/json" }
  const stream = new Blob([JSON.stringify({ sessionID: null, content: "small" })]).stream()
  const init = { method: "POST", headers: chunked, body: stream, duplex: "half" }
  expect((await fetch(`${service.url}/api/trpc/todo.create`, init as RequestInit)).status).toBe(429)
  const small = { sessionID: null, content: "small" }
  expect((await gil.browser.post("/api/trpc/todo.create", small)).status).toBe(200)
  expect((await owner.post("/api/trpc/todo.create", body)).status).toBe(400)
  await Promise.all(held.map(statusOf))
  await expect.poll(async () => (await gil.browser.post("/api/trpc/todo.create", body)).status).toBe(400)
})
