import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { StatementSync } from "node:sqlite"
import type { Tenant } from "@docket/core"
import { openSqliteDatabase } from "@docket/db"
import { afterAll, beforeAll, expect, it, vi } from "vitest"
import { openRuntime } from "./open-runtime.ts"
import { type Service, startService } from "./start-service.ts"
import type { Request } from "./test/api-routes.ts"
import { callsWithID, type IdCall } from "./test/calls-with-id.ts"
import { freePort } from "./test/free-port.ts"
import { missingID } from "./test/id-kinds.ts"
import { inhabitTenant } from "./test/inhabit-tenant.ts"
import { anonymous, createKnownIds } from "./test/known-ids.ts"
import { readAnswer } from "./test/read-answer.ts"
import { readRows } from "./test/read-rows.ts"
import { searchAddresses } from "./test/search-addresses.ts"

const workspaces = {
  acme: { tenantID: "acme", secret: "xylophone", from: 600 },
  globex: { tenantID: "globex", secret: "zanzibar", from: 300 },
}
type Name = keyof typeof workspaces
const pairs = [
  ["acme", "globex"],
  ["globex", "acme"],
] as const

let base: string
let file: string
let origin: string
let service: Service
/** Credentials of each workspace's owner: a cookie for pages, a key for `/v1`. */
const credentials = new Map<Name, { cookie: string; key: string }>()
const logged: string[] = []

/** One service with two active workspaces, each with a row of every kind and its own owner. */
beforeAll(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), "docket-two-workspaces-")))
  const data = path.join(base, "data")
  await mkdir(data)
  file = path.join(data, "docket.db")
  const database = await openSqliteDatabase({ file, clock: Date.now })
  for (const workspace of Object.values(workspaces)) await inhabitTenant({ database, directory: base }, workspace)
  await database.close()
  const nothing = () => undefined
  // Only to create the workspaces: closed again before the service starts.
  const opened = await openRuntime({ data, config: [], report: nothing, onTaken: nothing, onError: nothing })
  for (const id of Object.keys(workspaces)) {
    await opened.workspaces.create(id)
    const runtime = await opened.workspaces.runtime(id)
    await runtime?.as({ person: "local", workspace: id }).workspace.update({ roots: [path.join(base, id)] })
  }
  await opened.runtime.close()
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  const limits = { perKey: 1_000_000, perPerson: 1_000_000 }
  await writeFile(path.join(data, "team.json"), JSON.stringify({ url: origin, limits }))
  service = await startService(
    { projects: [], port, host: "127.0.0.1", data, web: false, trust: false },
    { openRuntime, report: nothing, log: (text, error) => logged.push(`${text}: ${String(error)}`) },
  )
  const person = { name: "Ada", email: "ada@example.org", password: "correct horse battery" }
  const ada = cookieOf(await post("/api/auth/first-owner", { secret: service.loginUrl.split("#")[1], ...person }))
  for (const id of Object.keys(workspaces) as Name[]) {
    const made = await post("/api/trpc/workspace.create", { name: id, id, owner: `owner@${id}.example` }, ada)
    const { result } = (await made.json()) as { result: { data: { invitation: { url: string } } } }
    const secret = result.data.invitation.url.split("#")[1]
    const owner = { secret, name: `Owner of ${id}`, password: `${id} has a password` }
    const cookie = cookieOf(await post("/api/auth/invitation/accept", owner))
    const key = await post("/api/trpc/team.createKey", { name: "robot", role: "owner" }, cookie)
    credentials.set(id, {
      cookie,
      key: ((await key.json()) as { result: { data: { key: string } } }).result.data.key,
    })
  }
})
afterAll(async () => {
  await service.stop()
  await rm(base, { recursive: true, force: true })
})

function post(route: string, body: object, cookie = ""): Promise<Response> {
  const headers = { "content-type": "application/json", origin, "sec-fetch-site": "same-origin", cookie }
  return fetch(origin + route, { method: "POST", headers, body: JSON.stringify(body) })
}

function cookieOf(answer: Response): string {
  expect(answer.status).toBe(200)
  return answer.headers.getSetCookie()[0]?.split(";")[0] ?? ""
}

async function send(as: Name, { method, path: address, body }: Request) {
  const { cookie, key } = credentials.get(as) ?? { cookie: "", key: "" }
  const own = address.startsWith("/v1/")
    ? { authorization: `Bearer ${key}` }
    : { cookie, "sec-fetch-site": "same-origin" }
  const answer = await fetch(origin + address, {
    method,
    headers: { ...own, "content-type": "application/json" },
    ...(method !== "GET" && { body: JSON.stringify(body ?? {}) }),
  })
  return readAnswer(answer)
}

const idsOf = (name: Name) => createKnownIds(file, { local: { id: name } as Tenant })
/** Pages of a transcript can begin at any time: there an id only stands for a time, whoever owns it. */
const isMoment = ({ name }: IdCall) => /messages (?:before|after|around)\b/.test(name)
async function callsOf(as: Name): Promise<IdCall[]> {
  const { body } = await send(as, { method: "GET", path: "/v1/openapi.json" })
  return callsWithID(JSON.parse(body), idsOf(as).beside())
}

it("an owner sees another workspace's items as nonexistent and changes nothing", async () => {
  for (const [as, about] of pairs) {
    const before = readRows(file, about).text
    const calls = (await callsOf(as)).filter((call) => !isMoment(call))
    expect(calls.length).toBeGreaterThan(150)
    for (const call of calls) {
      const [foreign, missing] = [idsOf(about).of(about, call.kind)[0] ?? "", missingID(call.kind)]
      const toForeign = await send(as, call.request(foreign))
      const toMissing = await send(as, call.request(missing))
      const where = `${as}: ${call.name}`
      expect({ where, ...anonymous(toForeign, foreign) }).toEqual({ where, ...anonymous(toMissing, missing) })
      expect(toForeign.status, where).toBeLessThan(500)
      expect(toForeign.body, where).not.toContain(workspaces[about].secret)
    }
    expect(readRows(file, about).text === before).toBe(true)
  }
  expect(logged).toEqual([])
})

it("foreign and unknown items cost the same number of database queries", async () => {
  let statements = 0
  for (const name of ["all", "get", "run"] as const) {
    const real = StatementSync.prototype[name] as (...args: unknown[]) => unknown
    vi.spyOn(StatementSync.prototype, name).mockImplementation(function count(this: StatementSync, ...args: unknown[]) {
      statements += 1
      return real.apply(this, args) as never
    })
  }
  /** The minimum of several runs, because other queries may run too. */
  const costOf = async (as: Name, call: Request) => {
    const counts = []
    for (let turn = 0; turn < 4; turn += 1) {
      statements = 0
      await send(as, call)
      counts.push(statements)
    }
    return Math.min(...counts)
  }
  try {
    const [as, about] = pairs[0]
    const calls = (await callsOf(as)).filter((call) => call.request(missingID(call.kind)).method === "GET")
    const costs = []
    for (const { kind, name, request } of calls) {
      const [foreign, missing] = [idsOf(about).of(about, kind)[0] ?? "", missingID(kind)]
      costs.push([name, await costOf(as, request(foreign)), await costOf(as, request(missing))] as const)
    }
    expect(costs.filter(([, toForeign, toMissing]) => toForeign !== toMissing)).toEqual([])
    expect(costs.filter(([, cost]) => cost > 0).length).toBeGreaterThan(10)
  } finally {
    vi.restoreAllMocks()
  }
})

it("searches, lists and events reveal nothing of another workspace", async () => {
  for (const [as, about] of pairs) {
    const { secret } = workspaces[about]
    for (const address of [
      ...searchAddresses(secret),
      `/v1/search?q=${secret}*`,
      `/v1/memory/entries?q=${secret}`,
      "/v1/todos",
    ]) {
      const { status, body } = await send(as, { method: "GET", path: address })
      expect([address, status]).toEqual([address, 200])
      expect(body, address).not.toContain(secret)
    }
    const own = await send(as, { method: "GET", path: `/v1/memory/entries?q=${workspaces[as].secret}` })
    expect(own.body).toContain(workspaces[as].secret)
  }
  const stop = new AbortController()
  const input = encodeURIComponent(JSON.stringify({ others: true }))
  const stream = await fetch(`${origin}/api/trpc/event.subscribe?input=${input}`, {
    headers: { cookie: credentials.get("acme")?.cookie ?? "", "sec-fetch-site": "same-origin" },
    signal: stop.signal,
  })
  const write = (as: Name, title: string) =>
    send(as, { method: "POST", path: "/v1/memory/entries", body: { type: "user", title } })
  await write("globex", "a foreign item")
  await write("acme", "an item of one's own")
  let heard = ""
  const decoder = new TextDecoder()
  for await (const chunk of stream.body ?? []) {
    heard += decoder.decode(chunk, { stream: true })
    if (heard.includes("an item of one's own")) break
  }
  stop.abort()
  expect(heard).not.toContain("a foreign item")
})
