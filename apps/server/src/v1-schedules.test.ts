import { mkdtemp, readFile, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type OpenedRuntime, openRuntime } from "./open-runtime.ts"
import { type Service, startService } from "./start-service.ts"
import { asLocal } from "./test/as-local.ts"
import { parseAnswer } from "./test/parse-answer.ts"

let directory: string
let service: Service
let opened: OpenedRuntime
let token: string

/** The real service over SQLite, with a project and the rehearsal model. */
beforeAll(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), "docket-schedules-")))
  service = await startService(
    {
      projects: [directory],
      port: 0,
      host: "127.0.0.1",
      data: path.join(directory, ".data"),
      web: false,
      trust: false,
    },
    {
      async openRuntime(options) {
        opened = await openRuntime(options)
        return opened
      },
      report: () => undefined,
      log: () => undefined,
    },
  )
  token = (await readFile(service.tokenFile, "utf8")).trim()
})
afterAll(async () => {
  await service.stop()
  await rm(directory, { recursive: true, force: true })
})

async function call(method: string, address: string, body?: unknown) {
  const answer = await fetch(service.url + address, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const isJson = answer.headers.get("content-type")?.startsWith("application/json")
  return { status: answer.status, body: isJson ? parseAnswer(text) : text }
}

it("/v1/schedules creates, shows, pauses and deletes a schedule", async () => {
  const created = await call("POST", "/v1/schedules", { schedule: "weekly", message: "summarise the week" })
  expect(created).toMatchObject({
    status: 201,
    body: {
      normalized: "every monday at 09:00",
      scheduled_task: {
        agent_id: "index",
        conversation_id: 0,
        message: "summarise the week",
        schedule_phrase: "weekly",
        schedule_kind: "recurring",
        fire_at: 0,
        recur_json: '{"cron":"0 9 * * 1"}',
        status: "active",
        last_run_at: 0,
        run_count: 0,
      },
    },
  })
  const { scheduled_task } = created.body
  const address = `/v1/schedules/${scheduled_task.id}`
  expect(await call("GET", address)).toEqual({ status: 200, body: { scheduled_task } })
  expect((await call("PATCH", address, { status: "paused" })).body.scheduled_task).toMatchObject({
    status: "paused",
    next_fire_at: 0,
  })
  expect((await call("GET", "/v1/schedules?status=paused")).body.schedules).toHaveLength(1)
  expect((await call("GET", "/v1/schedules?status=active")).body.schedules).toEqual([])
  expect((await call("PATCH", address, { status: "asleep" })).status).toBe(400)
  expect(await call("GET", `${address}/runs`)).toEqual({ status: 200, body: { runs: [], next_cursor: null } })
  expect(await call("DELETE", address)).toEqual({ status: 200, body: { deleted: true } })
  expect(await call("GET", address)).toMatchObject({ status: 404, body: { error: "schedule not found" } })
})

it("a due run is listed for its schedule and among all runs", async () => {
  const stop = new AbortController()
  const ended = (async () => {
    for await (const event of asLocal(opened.runtime).feed({ others: true }, stop.signal)) {
      if (event.type === "schedule.run.updated" && event.properties.run.status !== "running") return
    }
  })()
  const created = await call("POST", "/v1/schedules", { schedule: "in 0 minutes", message: "Say hello" })
  const { id } = created.body.scheduled_task
  await ended
  const { body } = await call("GET", `/v1/schedules/${id}/runs`)
  expect(body.runs).toMatchObject([{ task_id: id, status: "succeeded", error_message: "" }])
  expect(body.runs[0].conversation_id).toMatch(/^ses_/)
  expect((await call("GET", "/v1/runs?since=1")).body.runs).toEqual(body.runs)
  expect((await call("GET", `/v1/runs?since=${body.runs[0].started_at + 100}`)).body.runs).toEqual([])
  expect((await call("GET", `/v1/runs/${body.runs[0].id}`)).body).toEqual(body.runs[0])
  expect((await call("GET", "/v1/runs/run_x")).status).toBe(404)
  expect((await call("GET", `/v1/schedules/${id}`)).body.scheduled_task).toMatchObject({
    status: "completed",
    run_count: 1,
  })
})

it("a schedule keeps the conversation and the agent that it names", async () => {
  const [project] = await asLocal(opened.runtime).project.list()
  const session = await asLocal(opened.runtime).session.create({ projectID: project?.id ?? "" })
  const input = { schedule: "on 2031-01-01 at 08:00", message: "x", conversation_id: session.id, agent: "plan" }
  const { body } = await call("POST", "/v1/schedules", input)
  expect(body.scheduled_task).toMatchObject({ conversation_id: session.id, agent_id: "plan", recur_json: "" })
  expect(body.scheduled_task.fire_at).toBe(body.scheduled_task.next_fire_at)
})

it.each([
  [{ message: "x" }, 400, "required field: schedule"],
  [{ schedule: "hourly" }, 400, "required field: message"],
  [{ schedule: "hourly", message: "x", conversation_id: 7 }, 400, "conversation_id does not exist for this tenant"],
  [{ schedule: "hourly", message: "x", agent: "nobody" }, 404, 'There is no agent "nobody"'],
])("/v1/schedules refuses %j", async (input, status, error) => {
  const answer = await call("POST", "/v1/schedules", input)
  expect(answer.status).toBe(status)
  expect(answer.body.error).toContain(error)
})

it("a phrase that is not understood is refused with the accepted forms", async () => {
  const { status, body } = await call("POST", "/v1/schedules", { schedule: "soon", message: "x" })
  expect(status).toBe(400)
  expect(body.error).toContain('"soon"')
  expect(body.accepted).toContain("every N minutes|hours")
})

it("memory and schedules are served over tRPC too", async () => {
  const query = async (procedure: string, input: object) => {
    const { body } = await call("GET", `/api/trpc/${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`)
    return body.result?.data ?? body.error.data
  }
  const mutate = async (procedure: string, input: object) => (await call("POST", `/api/trpc/${procedure}`, input)).body
  const [project] = await asLocal(opened.runtime).project.list()
  const projectID = project?.id ?? ""
  const fact = { type: "learning", title: "Tests need Node 24", content: "", projectID }
  const memory = (await mutate("memory.create", fact)).result.data
  expect(await query("memory.search", { q: "node", projectID })).toEqual([memory])
  expect((await mutate("memory.invalidate", { memory: memory.number })).result.data.invalidatedAt).toBeGreaterThan(0)
  expect((await mutate("memory.invalidate", { memory: memory.id })).error.data.docketCode).toBe("memory_not_found")
  expect(await query("memory.search", { projectID, all: true })).toHaveLength(1)
  expect(await query("schedule.preview", { when: "hourly" })).toMatchObject({ normalized: "every hour" })
  expect(await query("schedule.preview", { when: "soon" })).toMatchObject({ docketCode: "schedule_phrase_invalid" })
  const schedule = (await mutate("schedule.create", { projectID, when: "daily", message: "Look" })).result.data
  await mutate("schedule.setStatus", { schedule: schedule.id, status: "canceled" })
  expect(await query("schedule.get", { schedule: schedule.number })).toMatchObject({ status: "canceled" })
  await mutate("schedule.remove", { schedule: schedule.id })
  expect(await query("schedule.get", { schedule: schedule.id })).toMatchObject({ docketCode: "schedule_not_found" })
})

it("the OpenAPI document has the routes of memory and schedules", async () => {
  const { paths } = (await call("GET", "/v1/openapi.json")).body
  for (const address of [
    "/v1/memory/entries",
    "/v1/memory/entries/{id}/invalidate",
    "/v1/schedules/{id}/runs",
    "/v1/runs/{id}",
  ]) {
    expect(Object.keys(paths)).toContain(address)
  }
})
