import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { parseAnswer } from "./test/parse-answer.ts"
import { startTestService, type TestService } from "./test/start-test-service.ts"

let service: TestService
let tenants = 0

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.remove())

async function tenant() {
  const { token } = await service.tenants.createToken({ tenantID: `mem-${++tenants}`, name: "robot" })
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await service.call(path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    })
    const isJson = String(answer.headers["content-type"]).startsWith("application/json")
    return { status: answer.status, body: isJson ? parseAnswer(answer.body) : answer.body }
  }
  const titles = async (query = "") =>
    (await call("GET", `/v1/memory/entries${query}`)).body.entries.map((entry: { title: string }) => entry.title)
  return { call, titles }
}

describe("/v1/memory/entries", () => {
  it("answers 201 with the bare entry", async () => {
    const { call } = await tenant()
    const input = { type: "reference", title: "Findings report", content: "See it.", source: "agent", tags: ["report"] }
    const { status, body } = await call("POST", "/v1/memory/entries", input)
    expect(status).toBe(201)
    expect(body).toEqual({
      ...input,
      id: 1,
      artifact_id: null,
      conversation_id: null,
      project_id: null,
      agent_id: "robot",
      valid_from: expect.any(Number),
      valid_to: null,
      created_at: body.valid_from,
      updated_at: body.valid_from,
    })
    expect(await call("GET", "/v1/memory/entries/1")).toEqual({ status: 200, body })
  })

  it.each([
    ["{", "invalid JSON"],
    ["[]", "body must be a JSON object"],
    [{ title: "x" }, /^type must be one of: user, feedback, /],
    [{ type: "user" }, "required field: title"],
    [{ type: "user", title: " " }, "title must have 1 to 200 characters"],
    [{ type: "user", title: "x", content: "x".repeat(65_537) }, "content is longer than 64 KiB"],
    [{ type: "user", title: "x", tags: Array(33).fill("t") }, /tags/],
    [{ type: "user", title: "x", conversation_id: 7 }, "conversation_id does not exist for this tenant"],
  ])("refuses %j with 400", async (body, error) => {
    const { call, titles } = await tenant()
    const answer = await call("POST", "/v1/memory/entries", body)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatch(error)
    expect(await titles()).toEqual([])
  })

  it("filters by type and tag; in a search these only affect ranks", async () => {
    const { call, titles } = await tenant()
    await call("POST", "/v1/memory/entries", { type: "feedback", title: "deploy by hand", tags: ["ops"] })
    await call("POST", "/v1/memory/entries", { type: "learning", title: "deploy by script" })
    expect(await titles("?type=feedback,user")).toEqual(["deploy by hand"])
    expect(await titles("?tag=ops")).toEqual(["deploy by hand"])
    expect(await titles("?q=deploy&type=feedback")).toEqual(["deploy by hand", "deploy by script"])
    expect(await titles("?q=deploy&type=learning")).toEqual(["deploy by script", "deploy by hand"])
    expect(await titles("?limit=1")).toHaveLength(1)
    expect((await call("GET", "/v1/memory/entries?type=secret")).status).toBe(400)
    // `deploy ` 143 times has 1,000 characters without the last space.
    expect(await titles(`?q=${"deploy%20".repeat(143)}`)).toHaveLength(2)
    expect(await call("GET", `/v1/memory/entries?q=${"deploy%20".repeat(144)}`)).toEqual({
      status: 400,
      body: { error: "q is longer than 1000 characters" },
    })
    expect((await call("GET", "/v1/memory/entries?q=deploy")).body.count).toBe(2)
  })

  it("changes, invalidates once and deletes; invalidated entries are hidden", async () => {
    const { call, titles } = await tenant()
    await call("POST", "/v1/memory/entries", { type: "user", title: "Name" })
    const patched = await call("PATCH", "/v1/memory/entries/1", { title: "Full name", tags: ["person"] })
    expect(patched).toMatchObject({ status: 200, body: { id: 1, title: "Full name", tags: ["person"] } })
    expect(await call("POST", "/v1/memory/entries/1/invalidate")).toEqual({
      status: 200,
      body: { invalidated: true, id: 1 },
    })
    expect(await call("POST", "/v1/memory/entries/1/invalidate")).toEqual({
      status: 404,
      body: { error: "entry not found or already invalidated" },
    })
    for (const method of ["GET", "PATCH"]) {
      expect((await call(method, "/v1/memory/entries/1", method === "PATCH" ? {} : undefined)).status).toBe(404)
    }
    expect(await titles()).toEqual([])
    expect(await call("DELETE", "/v1/memory/entries/1")).toEqual({ status: 200, body: { deleted: true } })
    expect((await call("DELETE", "/v1/memory/entries/1")).status).toBe(404)
  })

  it("keeps tenants apart and answers unknown addresses in plain text", async () => {
    const [one, two] = [await tenant(), await tenant()]
    await one.call("POST", "/v1/memory/entries", { type: "user", title: "Mine" })
    expect(await two.titles("?q=mine")).toEqual([])
    for (const method of ["GET", "DELETE"]) expect((await two.call(method, "/v1/memory/entries/1")).status).toBe(404)
    expect((await two.call("POST", "/v1/memory/entries/1/invalidate")).status).toBe(404)
    expect(await one.call("GET", "/v1/memory/entries/x")).toEqual({ status: 400, body: "invalid entry id" })
    expect(await one.call("PUT", "/v1/memory/entries")).toEqual({ status: 405, body: "method not allowed" })
    expect(await one.call("GET", "/v1/memory")).toEqual({ status: 404, body: "not found" })
    expect((await service.call("/v1/memory/entries")).status).toBe(401)
  })
})

it("a tenant that runs no agents has no schedules", async () => {
  const { call } = await tenant()
  expect(await call("GET", "/v1/schedules")).toEqual({ status: 200, body: { schedules: [], next_cursor: null } })
  expect(await call("GET", "/v1/runs")).toEqual({ status: 200, body: { runs: [], next_cursor: null } })
  expect((await call("GET", "/v1/schedules/1")).status).toBe(404)
  expect(await call("POST", "/v1/schedules", { schedule: "hourly", message: "x" })).toEqual({
    status: 400,
    body: { error: "this tenant runs no agents" },
  })
})
