import { once } from "node:events"
import { request } from "node:http"
import { drawn } from "@docket/config/sampling"
import { createIdSource } from "@docket/core"
import type { Session } from "@docket/core/schema"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { z } from "zod"
import { sessionID as localSession } from "./test/fake-runtime.ts"
import { parseAnswer } from "./test/parse-answer.ts"
import { startTestService, type TestService } from "./test/start-test-service.ts"

const WireTodo = z.looseObject({
  id: z.number(),
  subject: z.string(),
  status: z.string(),
  position: z.number(),
  completed_at: z.number(),
})
const One = z.object({ todo: WireTodo })
const Many = z.object({ todos: z.array(WireTodo) })

let service: TestService
const createID = createIdSource()
const robot = { person: "robot", workspace: "robots" }
let tenants = 0

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.remove())

/** A new tenant with a token, and functions that call as that tenant. */
async function tenant() {
  const tenantID = `tenant-${++tenants}`
  const { token, info } = await service.tenants.createToken({ tenantID, name: "robot" })
  const call = async (method: string, path: string, body?: unknown) => {
    const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body)
    const answer = await service.call(path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(text !== undefined && { body: text }),
    })
    const isJson = String(answer.headers["content-type"]).startsWith("application/json")
    return { status: answer.status, body: isJson ? parseAnswer(answer.body) : answer.body }
  }
  const add = async (subject: string, more: object = {}) =>
    One.parse((await call("POST", "/v1/todos", { subject, ...more })).body).todo
  const list = async (query = "") => Many.parse((await call("GET", `/v1/todos${query}`)).body).todos
  return { tenantID, token, info, call, add, list }
}

/** A session of a tenant: its id is the conversation's. */
async function conversation(tenantID: string): Promise<string> {
  const id = createID("session")
  const session: Session = {
    id,
    projectID: createID("project"),
    parentID: null,
    rootID: id,
    depth: 0,
    directory: "/tmp/demo",
    title: "Talk",
    agent: "build",
    model: null,
    permission: [],
    status: { type: "idle" },
    cost: 0,
    tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
    origin: null,
    abortedAt: null,
    time: { created: 1, updated: 1, archived: null },
  }
  const store = service.database.store(tenantID)
  await store.write.commit([{ rootID: id, mutations: [{ kind: "session", value: session }] }])
  return id
}

describe("POST /v1/todos", () => {
  it("answers 201 with the todo and its defaults", async () => {
    const { call } = await tenant()
    const before = Date.now()
    const { status, body } = await call("POST", "/v1/todos", { subject: "review the deploy status" })
    expect(status).toBe(201)
    expect(body).toEqual({
      todo: {
        id: 1,
        conversation_id: 0,
        agent_id: "index",
        subject: "review the deploy status",
        description: "",
        status: "pending",
        position: 0,
        created_at: expect.any(Number),
        updated_at: expect.any(Number),
        completed_at: 0,
      },
    })
    expect(body.todo.created_at).toBeGreaterThanOrEqual(Math.floor(before / 1_000))
    expect(body.todo.created_at).toBeLessThanOrEqual(Date.now() / 1_000)
  })

  it("pins to a conversation of the tenant and takes every field", async () => {
    const { call, tenantID } = await tenant()
    const conversation_id = await conversation(tenantID)
    const input = { subject: "x", description: "two\nlines", agent_id: "ops", conversation_id, status: "canceled" }
    const { body } = await call("POST", "/v1/todos", input)
    expect(body.todo).toMatchObject(input)
    expect(body.todo.completed_at).toBeGreaterThan(0)
    const dated = await call("POST", "/v1/todos", { subject: "y", status: "completed", completed_at: 77 })
    expect(dated.body.todo.completed_at).toBe(77)
  })

  it.each([
    ["{", "invalid JSON"],
    ["[]", "body must be a JSON object"],
    ["7", "body must be a JSON object"],
    [{}, "required field: subject"],
    [{ subject: "  " }, "required field: subject"],
    [{ subject: 7 }, "required field: subject"],
    [{ subject: "x", status: "cancelled" }, "status must be one of: pending, in_progress, completed, canceled"],
    [{ subject: "x", conversation_id: 12 }, "conversation_id does not exist for this tenant"],
    [{ subject: "x", conversation_id: localSession }, "conversation_id does not exist for this tenant"],
    [{ subject: "x", description: 7 }, expect.stringContaining("description")],
  ])("refuses %j with 400", async (body, error) => {
    const { call, list } = await tenant()
    expect(await call("POST", "/v1/todos", body)).toMatchObject({ status: 400, body: { error } })
    expect(await list()).toEqual([])
  })
})

describe("GET /v1/todos", () => {
  it("shows a conversation with the tenant-wide items, only those, or all", async () => {
    const { tenantID, add, list, call } = await tenant()
    const [one, two] = [await conversation(tenantID), await conversation(tenantID)]
    await add("wide")
    await add("in one", { conversation_id: one })
    await add("in two", { conversation_id: two })
    const subjects = async (query: string) => (await list(query)).map((todo) => todo.subject).sort()
    expect(await subjects("")).toEqual(["in one", "in two", "wide"])
    expect(await subjects("?conversation_id=0")).toEqual(["in one", "in two", "wide"])
    expect(await subjects(`?conversation_id=${one}`)).toEqual(["in one", "wide"])
    expect(await subjects("?conversation_id=tenant")).toEqual(["wide"])
    expect(await subjects("?conversation_id=unscoped")).toEqual(["wide"])
    for (const unknown of ["5", createID("session"), "x"]) {
      expect(await call("GET", `/v1/todos?conversation_id=${unknown}`)).toEqual({
        status: 400,
        body: { error: "conversation_id does not exist for this tenant" },
      })
    }
  })

  it("orders by status, then position; filters by status and agent", async () => {
    const { add, list, call } = await tenant()
    for (const status of ["canceled", "completed", "pending", "in_progress", "pending"]) {
      await add(`${status}`, { status, agent_id: status === "pending" ? "ops" : "index" })
    }
    const statuses = async (query: string) => (await list(query)).map((todo) => todo.status)
    expect(await statuses("")).toEqual(["in_progress", "pending", "pending", "completed", "canceled"])
    expect(await statuses("?status=canceled")).toEqual(["canceled"])
    expect(await statuses("?agent_id=ops")).toEqual(["pending", "pending"])
    expect(await statuses("?status=open")).toEqual([])
    expect((await list("?status=pending")).map((todo) => todo.id)).toEqual([3, 5])
    await call("PATCH", "/v1/todos/5", { position: 0 })
    expect((await list("?status=pending")).map((todo) => todo.id)).toEqual([5, 3])
  })

  it("returns at most 200 todos unless asked for up to 500", async () => {
    const { tenantID, list, token } = await tenant()
    const found = await service.tenants.byToken(token)
    for (let n = 0; n < 220; n++) {
      await found?.tenant
        .as(robot)
        .todo.create({ sessionID: null, content: `${tenantID} ${n}` }, { actor: { kind: "api", name: "t" } })
    }
    expect((await list("?limit=3")).length).toBe(3)
    expect((await list("?limit=500")).length).toBe(220)
    for (const limit of ["", "501", "0", "-1", "x"]) expect((await list(`?limit=${limit}`)).length).toBe(200)
  })
})

describe("one todo", () => {
  it("is read, patched and deleted by its number", async () => {
    const { add, call } = await tenant()
    const { id } = await add("one", { description: "why" })
    expect((await call("GET", `/v1/todos/${id}`)).body.todo.description).toBe("why")
    const patched = await call("PATCH", `/v1/todos/${id}`, { subject: "two", description: "", status: "completed" })
    expect(patched.status).toBe(200)
    expect(patched.body.todo).toMatchObject({ subject: "two", description: "", status: "completed" })
    expect(patched.body.todo.completed_at).toBeGreaterThan(0)
    const reopened = await call("PATCH", `/v1/todos/${id}`, { status: "in_progress" })
    expect(reopened.body.todo).toMatchObject({ subject: "two", completed_at: 0 })
    expect(await call("DELETE", `/v1/todos/${id}`)).toEqual({ status: 200, body: { deleted: true } })
    const gone = { status: 404, body: { error: "todo not found" } }
    expect(await call("GET", `/v1/todos/${id}`)).toEqual(gone)
    expect(await call("PATCH", `/v1/todos/${id}`, { status: "pending" })).toEqual(gone)
    expect(await call("DELETE", `/v1/todos/${id}`)).toEqual(gone)
  })

  it("refuses bad addresses in plain text, bad bodies in JSON", async () => {
    const { add, call } = await tenant()
    const { id } = await add("one")
    expect(await call("GET", "/v1/todos/x1")).toEqual({ status: 400, body: "invalid todo id" })
    expect(await call("GET", `/v1/todos/${id}/x`)).toEqual({ status: 404, body: "not found" })
    expect(await call("GET", "/v1/nothing")).toEqual({ status: 404, body: "not found" })
    expect(await call("PUT", `/v1/todos/${id}`, {})).toEqual({ status: 405, body: "method not allowed" })
    expect(await call("DELETE", "/v1/todos")).toEqual({ status: 405, body: "method not allowed" })
    expect((await call("PATCH", `/v1/todos/${id}`, { status: "open" })).body.error).toContain("status must be one of")
    expect((await call("PATCH", `/v1/todos/${id}`, { position: -1 })).status).toBe(400)
    expect((await call("PATCH", `/v1/todos/${id}`, [])).body.error).toBe("body must be a JSON object")
    expect((await call("PATCH", `/v1/todos/${id}`, {})).status).toBe(200)
  })

  it("that is blocked answers a start with 409 and its blockers", async () => {
    const { add, call, token } = await tenant()
    await add("one")
    await add("two")
    const found = await service.tenants.byToken(token)
    await found?.tenant.as(robot).todo.update({ todo: 2, dependsOn: ["1"] }, { actor: { kind: "api", name: "t" } })
    const { status, body } = await call("PATCH", "/v1/todos/2", { status: "in_progress" })
    expect(status).toBe(409)
    expect(body.error).toContain('blocked by #1 "one"')
  })
})

describe("the position of a todo", () => {
  it("is stored as sent, with gaps and duplicates, without moving others", async () => {
    const { tenantID, add, call, list } = await tenant()
    const conversation_id = await conversation(tenantID)
    for (const place of [{}, { conversation_id }]) {
      const first = await add("first", { ...place, position: 40 })
      const second = await add("second", { ...place, position: 7 })
      const last = await add("last", place)
      const known = [first, second, last].map(({ id }) => id)
      const positions = async () => {
        const found = (await list()).filter(({ id }) => known.includes(id))
        return found.map(({ subject, position }) => [subject, position])
      }
      expect(await positions()).toEqual([
        ["second", 7],
        ["first", 40],
        ["last", 41],
      ])
      const patched = await call("PATCH", `/v1/todos/${last.id}`, { position: 12 })
      expect(patched.body.todo.position).toBe(12)
      expect((await call("GET", `/v1/todos/${last.id}`)).body.todo.position).toBe(12)
      await call("PATCH", "/v1/todos", [{ id: first.id, position: 12 }])
      // Of todos with one position, the last changed comes first.
      expect(await positions()).toEqual([
        ["second", 7],
        ["first", 12],
        ["last", 12],
      ])
      expect((await call("PATCH", `/v1/todos/${first.id}`, { status: "completed" })).body.todo.position).toBe(12)
      expect((await add("behind", place)).position).toBeGreaterThan(12)
    }
  })

  it("is refused when it is invalid", async () => {
    const { add, call } = await tenant()
    const { id } = await add("one")
    for (const position of [-1, 1.5, "1", 2 ** 40, null]) {
      expect((await call("PATCH", `/v1/todos/${id}`, { position })).status).toBe(400)
      expect((await call("POST", "/v1/todos", { subject: "two", position })).status).toBe(400)
    }
  })
})

describe("PATCH /v1/todos", () => {
  it("patches each todo independently and answers 200 with a result for each", async () => {
    const { add, call } = await tenant()
    await add("one")
    await add("two")
    const items = [{ id: 1, status: "completed" }, { id: 9, status: "completed" }, { id: 2, status: "x" }, {}, 7]
    const { status, body } = await call("PATCH", "/v1/todos", { todos: items })
    expect(status).toBe(200)
    expect(body).toMatchObject({ ok: 1, errors: 4 })
    expect(
      body.results.map((result: { id: unknown; ok: boolean; error?: string }) => [result.id, result.ok, result.error]),
    ).toEqual([
      [1, true, undefined],
      [9, false, "todo not found"],
      [2, false, "status must be one of: pending, in_progress, completed, canceled"],
      [null, false, "required field: id"],
      [null, false, "required field: id"],
    ])
    expect((await call("PATCH", "/v1/todos", [{ id: 2, subject: "TWO" }])).body.results[0].todo.subject).toBe("TWO")
  })

  it("reports the other results when one item's id is endlessly nested", async () => {
    const { add, call } = await tenant()
    await add("one")
    const deep = `${"[".repeat(500_000)}${"]".repeat(500_000)}`
    const { status, body } = await call("PATCH", "/v1/todos", `[{"id":1,"status":"completed"},{"id":${deep}}]`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ ok: 1, errors: 1, results: [{ id: 1 }, { id: null, error: "required field: id" }] })
  })

  it("answers empty input with results and refuses bad or oversized bodies", async () => {
    const { call } = await tenant()
    expect((await call("PATCH", "/v1/todos", [])).body).toEqual({ results: [] })
    expect((await call("PATCH", "/v1/todos", { todos: [] })).body).toEqual({ results: [] })
    for (const body of ["{", {}, 7, { todos: 1 }, Array.from({ length: 501 }, () => ({ id: 1 }))]) {
      expect((await call("PATCH", "/v1/todos", body)).status).toBe(400)
    }
  })
})

describe("the right to call", () => {
  it("needs a live token; all other callers get the same answer", async () => {
    const { token, info } = await tenant()
    const answers = []
    await service.tenants.revokeToken(info.id)
    const bad = [
      undefined,
      "",
      "Bearer",
      "Bearer x",
      `Basic ${token}`,
      `Bearer ${token}`,
      `Bearer atr_${"0".repeat(64)}`,
    ]
    for (const authorization of bad) {
      const headers = authorization === undefined ? {} : { authorization }
      const { status, body } = await service.call("/v1/todos", { headers })
      answers.push(`${status} ${body}`)
    }
    expect(new Set(answers)).toEqual(new Set(["401 unauthorized"]))
  })

  it("comes with the service's own token, but not with a cookie", async () => {
    const bearer = { authorization: `Bearer ${service.token}` }
    expect((await service.call("/v1/todos", { headers: bearer })).status).toBe(200)
    expect(service.runtime.calls.at(-1)).toBe("todo.find")
    const code = new URL(service.loginUrl).searchParams.get("code") ?? new URL(service.loginUrl).hash.slice(1)
    const json = { "content-type": "application/json" }
    const login = await service.call("/api/login", {
      method: "POST",
      headers: json,
      body: JSON.stringify({ code: code.replace(/^code=/, "") }),
    })
    const cookie = String(login.headers["set-cookie"]).split(";")[0] ?? ""
    expect(login.status).toBeLessThan(300)
    expect((await service.call("/v1/todos", { headers: { cookie } })).status).toBe(401)
  })

  it("is given by signed-in people, who create, list and revoke tokens", async () => {
    const headers = { authorization: `Bearer ${service.token}`, "content-type": "application/json" }
    const send = async (path: string, body?: object) => {
      const answer = await service.call(path, { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) })
      return { status: answer.status, body: parseAnswer(answer.body) }
    }
    const made = await send("/api/tokens", { tenant: "acme", name: "ci" })
    expect(made.status).toBe(201)
    expect(made.body.token).toMatch(/^atr_[0-9a-f]{64}$/)
    const use = { authorization: `Bearer ${made.body.token}` }
    expect((await service.call("/v1/todos", { headers: use })).status).toBe(200)
    expect((await service.call("/api/trpc/project.list", { headers: use })).status).toBe(401)
    const listed = await send("/api/tokens?tenant=acme")
    expect(listed.body.tokens).toMatchObject([{ id: made.body.id, name: "ci", tenantID: "acme" }])
    expect(JSON.stringify(listed.body)).not.toMatch(/Hash|atr_/)
    expect((await send("/api/tokens/revoke", { id: made.body.id })).body.time.revoked).toEqual(expect.any(Number))
    expect((await service.call("/v1/todos", { headers: use })).status).toBe(401)
    expect((await send("/api/tokens/revoke", { id: createID("apiToken") })).status).toBe(404)
    const unknown = await send("/api/tokens/revoke", { id: "nope" })
    expect([unknown.status, JSON.stringify(unknown.body)]).toEqual([404, expect.stringContaining("no token nope")])
    expect((await send("/api/tokens", { tenant: "No Such", name: "x" })).status).toBe(400)
  })
})

describe("a failed request", () => {
  it("is answered in JSON without internals", async () => {
    const headers = { authorization: `Bearer ${service.token}` }
    const failed = await service.call("/v1/todos/1", { headers })
    expect([failed.status, JSON.parse(failed.body)]).toMatchObject([500, { error: "internal error" }])
    expect(service.logged.join()).toContain("GET /v1/todos/1 failed: Error: secret internals")
  })

  it("with a body over 4 MiB gets 413, with or without length", async () => {
    const { token } = await tenant()
    const headers = { authorization: `Bearer ${token}` }
    const body = JSON.stringify({ subject: "x", description: "y".repeat(5 * 1024 * 1024) })
    for (const size of [{ "content-length": String(body.length) }, { "transfer-encoding": "chunked" }]) {
      const answer = await service.call("/v1/todos", { method: "POST", headers: { ...headers, ...size }, body })
      expect([answer.status, parseAnswer(answer.body)]).toEqual([
        413,
        { error: "the body is larger than 4194304 bytes" },
      ])
    }
    const login = await service.call("/api/login", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code: "x".repeat(100 * 1024) }),
    })
    expect(login.status).toBe(400)
  })

  it("of a tenant beyond 32 at once gets 429", async () => {
    const [busy, other] = [await tenant(), await tenant()]
    const body = JSON.stringify({ subject: "slow" })
    const open = async () => {
      const headers = { authorization: `Bearer ${busy.token}`, expect: "100-continue", "content-length": body.length }
      const req = request(`${service.url}/v1/todos`, { method: "POST", headers })
      const answered = once(req, "response")
      req.flushHeaders()
      await once(req, "continue")
      return async () => {
        req.end(body)
        const [res] = await answered
        res.resume()
        return res.statusCode
      }
    }
    const slow = await Promise.all(Array.from({ length: 32 }, open))
    const refused = await service.call("/v1/todos", { headers: { authorization: `Bearer ${busy.token}` } })
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "1"])
    expect(JSON.parse(refused.body)).toMatchObject({ reason: "concurrent_request_limit", retry_after_seconds: 1 })
    expect(await other.list()).toEqual([])
    expect(new Set(await Promise.all(slow.map((finish) => finish())))).toEqual(new Set([201]))
    expect(await busy.list()).toHaveLength(32)
  })

  it("for an unknown number gets 404, for a non-number 400", async () => {
    const { call } = await tenant()
    for (const id of ["0", "2147483648", "9007199254740993", "9".repeat(400)]) {
      expect(await call("GET", `/v1/todos/${id}`)).toMatchObject({ status: 404, body: { error: "todo not found" } })
      expect((await call("POST", `/v1/memory/entries/${id}/invalidate`)).status).toBe(404)
      expect((await call("GET", `/v1/schedules/${id}`)).status).toBe(404)
    }
    for (const id of ["-1", "1.5", "1e3", "0x1", "%31%20", "tod_1"]) {
      expect(await call("GET", `/v1/todos/${id}`)).toEqual({ status: 400, body: "invalid todo id" })
    }
  })
})

describe("two tenants", () => {
  it("get the same 404 for each other's items as for unknown ones", async () => {
    const a = await tenant()
    const b = await tenant()
    const inA = await conversation(a.tenantID)
    // Each tenant's numbers start at 1. B has one todo, so the numbers of A's later todos are unknown to B.
    await b.add("b's own")
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("pending", "in_progress", "completed", "canceled"),
        fc.boolean(),
        fc.constantFrom("GET", "PATCH", "DELETE", "BATCH"),
        async (status, pinned, method) => {
          await a.add("filler")
          const { id } = await a.add("a's secret", { status, ...(pinned && { conversation_id: inA }) })
          const before = await a.call("GET", `/v1/todos/${id}`)
          const patch = { subject: "taken over" }
          if (method === "BATCH") {
            const batch = async (target: number) =>
              (await b.call("PATCH", "/v1/todos", [{ id: target, ...patch }])).body
            const { results } = await batch(id)
            expect(results).toEqual([{ id, ok: false, error: "todo not found" }])
          } else {
            const body = method === "PATCH" ? patch : undefined
            const foreign = await b.call(method, `/v1/todos/${id}`, body)
            expect(foreign).toEqual(await b.call(method, "/v1/todos/987654321", body))
            expect(foreign).toMatchObject({ status: 404, body: { error: "todo not found" } })
          }
          expect(await a.call("GET", `/v1/todos/${id}`)).toEqual(before)
          expect((await b.list("?limit=500")).map((todo) => todo.subject)).toEqual(["b's own"])
          for (const query of [`?conversation_id=${inA}`]) {
            expect((await b.call("GET", `/v1/todos${query}`)).status).toBe(400)
          }
          expect((await b.call("POST", "/v1/todos", { subject: "x", conversation_id: inA })).status).toBe(400)
        },
      ),
      drawn(40),
    )
  })
})

describe("GET /v1/openapi.json", () => {
  it("describes every route with JSON schemas", async () => {
    const { status, body } = await service.call("/v1/openapi.json")
    expect(status).toBe(200)
    const document = JSON.parse(body)
    expect(document.openapi).toBe("3.1.0")
    expect(Object.keys(document.paths["/v1/todos"])).toEqual(["post", "get", "patch"])
    expect(Object.keys(document.paths["/v1/todos/{id}"])).toEqual(["get", "patch", "delete"])
    expect(document.paths["/session/{id}/todo"].get).toBeDefined()
    const schema = document.paths["/v1/todos"].post.requestBody.content["application/json"].schema
    expect(schema).toMatchObject({ type: "object", required: ["subject"] })
    expect(schema.properties.status.enum).toEqual(["pending", "in_progress", "completed", "canceled"])
    const ids = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((item) =>
      Object.values(item).map((operation) => operation.operationId),
    )
    expect(new Set(ids).size).toBe(ids.length)
  })
})
