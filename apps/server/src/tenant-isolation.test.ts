import { mkdtemp, readFile, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { drawn } from "@docket/config/sampling"
import {
  createIdSource,
  createProviders,
  createRuntime,
  createTenants,
  rehearsalLoader,
  type Tenants,
} from "@docket/core"
import type { TenantDatabase } from "@docket/core/store"
import { noPrograms } from "@docket/core/test/no-programs"
import { oneNode } from "@docket/core/test/one-node"
import { openSqliteDatabase } from "@docket/db"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Service, startService } from "./start-service.ts"
import type { Request } from "./test/api-routes.ts"
import { callsWithID, type IdCall, listCalls } from "./test/calls-with-id.ts"
import { type IdKind, idKinds, missingID } from "./test/id-kinds.ts"
import { inhabitTenant } from "./test/inhabit-tenant.ts"
import { anonymous, createKnownIds, type KnownIds } from "./test/known-ids.ts"
import { onlyFirst } from "./test/only-first.ts"
import { readAnswer } from "./test/read-answer.ts"
import { readRows } from "./test/read-rows.ts"
import { searchAddresses } from "./test/search-addresses.ts"

const createID = createIdSource()
/** Each tenant has its own range of numbers for todos and the like, so that a number identifies a tenant. */
const tenants = {
  globex: { tenantID: "globex", secret: "zanzibar", from: 0 },
  local: { tenantID: "local", secret: "quetzalcoatl", from: 300 },
  acme: { tenantID: "acme", secret: "xylophone", from: 600 },
}
type Name = keyof typeof tenants

let directory: string
let file: string
let database: TenantDatabase
let service: Service
let hosts: Tenants
let ids: KnownIds
let document: unknown
const tokens = new Map<Name, string>()
const logged: string[] = []

/** A service over SQLite whose database has three tenants with a row of every kind. */
beforeAll(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), "docket-isolation-")))
  file = path.join(directory, "docket.db")
  database = await openSqliteDatabase({ file, clock: Date.now })
  for (const tenant of Object.values(tenants)) await inhabitTenant({ database, directory }, tenant)
  service = await startService(
    { projects: [], port: 0, host: "127.0.0.1", data: path.join(directory, "data"), web: false, trust: false },
    {
      async openRuntime({ data, onError }) {
        const clock = Date.now
        const runtime = await createRuntime({
          programs: noPrograms,
          store: database.store("local"),
          providers: createProviders({ dataDirectory: data, env: {}, loadRehearsal: rehearsalLoader(0) }),
          createID,
          clock,
          random: () => 0,
          dataDirectory: data,
          home: directory,
          env: {},
          platform: process.platform,
          providerTimeoutMs: 60_000,
          onError,
        })
        hosts = createTenants({ database, local: { id: "local", runtime }, createID, clock, onError })
        ids = createKnownIds(file, hosts)
        return {
          runtime,
          nodes: oneNode(database),
          tenants: hosts,
          workspaces: onlyFirst(runtime),
          warmUp: async () => undefined,
        }
      },
      report: () => undefined,
      log: (text, error) => logged.push(`${text}: ${String(error)}`),
    },
  )
  tokens.set("local", (await readFile(service.tokenFile, "utf8")).trim())
  for (const tenantID of ["globex", "acme"] as const) {
    tokens.set(tenantID, (await hosts.createToken({ tenantID, name: "robot" })).token)
  }
  document = JSON.parse((await send("local", { method: "GET", path: "/v1/openapi.json" })).body)
})
afterAll(async () => {
  await service.stop()
  await database.close()
  await rm(directory, { recursive: true, force: true })
})

async function send(as: Name, { method, path: address, body }: Request) {
  const answer = await fetch(service.url + address, {
    method,
    headers: { authorization: `Bearer ${tokens.get(as)}`, "content-type": "application/json" },
    ...(method !== "GET" && { body: JSON.stringify(body ?? {}) }),
  })
  return readAnswer(answer)
}

const callsOf = (name: Name) => callsWithID(document, ids.beside(tenants[name].tenantID))
/** Whether the token of a tenant without agents opens the call. */
const isForPrograms = ({ route }: Pick<IdCall, "route">) => route.includes(" /v1/")

interface Case {
  /** The calling tenant. */
  as: Name
  /** The tenant whose ids are used. */
  about: Name
  call: IdCall
}
const pairs: [as: Name, about: Name][] = [
  ["local", "acme"],
  ["acme", "local"],
  ["globex", "local"],
  ["globex", "acme"],
]
const allCases = (): Case[] =>
  pairs.flatMap(([as, about]) =>
    callsOf(as)
      .filter((call) => as === "local" || isForPrograms(call))
      .map((call) => ({ as, about, call })),
  )

describe("two tenants", () => {
  it("own a row of every kind", () => {
    for (const { tenantID } of Object.values(tenants)) {
      for (const kind of Object.keys(idKinds) as IdKind[]) expect(ids.of(tenantID, kind), kind).not.toEqual([])
    }
  })

  it("see each other's items as nonexistent on every route and change nothing", async () => {
    const cases = allCases()
    const before = new Map(Object.keys(tenants).map((name) => [name, readRows(file, name).text]))
    const check = async ({ as, about, call }: Case, pick: number) => {
      const foreignIDs = ids.of(about, call.kind)
      const [foreign, missing] = [foreignIDs[pick % foreignIDs.length] ?? "", missingID(call.kind)]
      const answers = [await send(as, call.request(foreign)), await send(as, call.request(missing))]
      const [toForeign, toMissing] = answers
      const where = `${as}: ${call.name}`
      expect({ where, ...anonymous(toForeign ?? { status: 0, body: "" }, foreign) }).toEqual({
        where,
        ...anonymous(toMissing ?? { status: 0, body: "" }, missing),
      })
      expect(toForeign?.status).toBeLessThan(500)
      expect(toForeign?.body).not.toContain(tenants[about].secret)
      for (const name of Object.keys(tenants)) {
        expect(readRows(file, name).text === before.get(name), `${where} changed ${name}`).toBe(true)
      }
    }
    for (const one of cases) await check(one, 0)
    await fc.assert(fc.asyncProperty(fc.constantFrom(...cases), fc.nat({ max: 1_000 }), check), drawn(150, 40))
  })

  it("are kept apart for ids of any form too", async () => {
    const cases = allCases()
    const someID = fc.oneof(
      fc.string({ minLength: 1, maxLength: 40, unit: "binary" }),
      fc.constantFrom(0, -1, 1.5, 2 ** 31, 2 ** 53, 1e21, "NaN", "'; --", "%", "../acme", "tenant", "__proto__"),
      fc.constantFrom<IdKind>("session", "todo", "memory", "task").map((kind) => ids.of("acme", kind)[0] ?? ""),
    )
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...cases), someID, async ({ as, about, call }, id) => {
        const before = readRows(file, about).text
        const { status, body } = await send(as, call.request(id))
        expect(status, `${as}: ${call.name}`).toBeLessThan(500)
        expect(body).not.toContain(tenants[about].secret)
        expect(readRows(file, about).text === before).toBe(true)
      }),
      drawn(200, 50),
    )
    expect(logged).toEqual([])
  })

  it("find nothing of each other by searches, lists and filters", async () => {
    const search = (secret: string, agent: string) => [
      ...["", "?conversation_id=tenant", `?agent_id=${agent}`, "?status=pending&limit=500"].map(
        (query) => `/v1/todos${query}`,
      ),
      ...["", `?q=${secret}`, `?tag=${secret}`, "?type=project&limit=200", "?as_of=9999999999", "?since=1"].map(
        (query) => `/v1/memory/entries${query}`,
      ),
      ...["", "&limit=100"].map((query) => `/v1/search?q=${secret}*${query}`),
      ...["/v1/schedules", "/v1/schedules?status=active", "/v1/runs", "/v1/runs?since=1"],
    ]
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...pairs), fc.nat(4), fc.nat(4), async ([as, about], from, left) => {
        const { secret } = tenants[about]
        const word = secret.slice(from, secret.length - left)
        for (const address of [...search(word, "index"), ...(as === "local" ? searchAddresses(word) : [])]) {
          const { status, body } = await send(as, { method: "GET", path: address })
          expect(status, address).toBe(200)
          expect(body, address).not.toContain(secret)
        }
      }),
      drawn(25, 8),
    )
    // Each tenant finds its own rows with the same searches.
    for (const name of ["globex", "acme"] as const) {
      const found = await send(name, { method: "GET", path: `/v1/memory/entries?q=${tenants[name].secret}` })
      expect(found.body).toContain(tenants[name].secret)
      const searched = await send(name, { method: "GET", path: `/v1/search?q=${tenants[name].secret}` })
      expect(JSON.parse(searched.body).count).toBeGreaterThan(0)
    }
  })

  it("are told nothing of each other by lists", async () => {
    const told: Record<"own" | "foreign", string[]> = { own: [], foreign: [] }
    for (const as of Object.keys(tenants) as Name[]) {
      const [project = ""] = ids.of(as, "project")
      for (const { route, name, request } of listCalls(document, ids.beside(tenants[as].tenantID))) {
        if (as !== "local" && !isForPrograms({ route })) continue
        const { body } = await send(as, request(project))
        for (const [whose, { secret }] of Object.entries(tenants))
          if (body.includes(secret)) told[whose === as ? "own" : "foreign"].push(`${as}: ${name}`)
      }
    }
    expect(told.foreign).toEqual([])
    expect(told.own).toEqual(expect.arrayContaining(["local: GET /v1/sessions project"]))
  })

  it("receive no events of each other", async () => {
    const headers = { authorization: `Bearer ${tokens.get("local")}` }
    const stop = new AbortController()
    const input = encodeURIComponent(JSON.stringify({ others: true }))
    const stream = await fetch(`${service.url}/api/trpc/event.subscribe?input=${input}`, {
      headers,
      signal: stop.signal,
    })
    const create = async (as: Name, subject: string) => {
      expect((await send(as, { method: "POST", path: "/v1/todos", body: { subject } })).status).toBe(201)
      const body = { type: "user", title: subject }
      expect((await send(as, { method: "POST", path: "/v1/memory/entries", body })).status).toBe(201)
    }
    await create("acme", "a foreign item")
    await create("globex", "a foreign item")
    await create("local", "an item of one's own")
    let heard = ""
    const decoder = new TextDecoder()
    for await (const chunk of stream.body ?? []) {
      heard += decoder.decode(chunk, { stream: true })
      if (heard.includes('"memory.updated"')) break
    }
    stop.abort()
    expect(heard).toContain("an item of one's own")
    expect(heard).not.toContain("a foreign item")
  })

  it("get the same OpenAPI document", async () => {
    const documents = new Set<string>()
    for (const as of ["local", "acme", "globex"] as const) {
      const { body } = await send(as, { method: "GET", path: "/v1/openapi.json" })
      documents.add(body)
    }
    expect(documents.size).toBe(1)
    for (const { secret } of Object.values(tenants)) expect([...documents][0]).not.toContain(secret)
  })

  it("reach their own items by the same routes", async () => {
    const alike: string[] = []
    for (const { kind, name, request } of callsOf("local")) {
      const [id, missing] = [await ids.own(kind), missingID(kind)]
      const [found, none] = [await send("local", request(id)), await send("local", request(missing))]
      if (JSON.stringify(anonymous(found, id)) === JSON.stringify(anonymous(none, missing))) alike.push(name)
    }
    // Calls that fail for the own tenant too.
    const place = "place[diff].scope[task].taskID"
    const unreachable = [
      // An ended turn cannot be withdrawn, and requests from before the start have expired.
      ...["session.withdraw turnID", "permission.list rootID", "question.list rootID"],
      "POST /opencode/session/{id}/permissions/{permissionID} permissionID",
      // The message is no prompt that led to a change.
      "GET /opencode/session/{id}/diff messageID",
      ...["DELETE /v1/turns/{id} id", "GET /v1/permissions session", "GET /v1/questions session"],
      // Nothing works.
      ...["session.working projectID", "GET /v1/status project"],
      // The diff of a task is commented on in its child.
      ...[`review.thread.create ${place}`, `review.draft.save ${place}`],
      "POST /v1/sessions/{id}/threads body.place[diff].scope[task].task_id",
      // The part is none of the task's, and no plan.
      ...["review.verdict.give seen", "review.viewed.set seen", "POST /v1/tasks/{id}/verdicts body.seen"],
      "plan.makeTodos partID",
      // Without accounts, there is no other workspace.
      "workspace.holding sessionID",
    ]
    const hint = "calls that answer own and missing ids alike: see `values` in calls-with-id.ts"
    expect(alike.toSorted(), hint).toEqual(unreachable.toSorted())
  })
})
