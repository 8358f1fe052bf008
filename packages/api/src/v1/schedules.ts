import { isDocketError, type ScheduleService, scheduleForms } from "@docket/core"
import type { Schedule } from "@docket/core/schema"
import { sendJson } from "../http/respond.ts"
import { toWireRun, toWireSchedule, WireScheduleInput, WireSchedulePatch } from "./schedule-wire.ts"
import { conversation, itemNumber, parsed } from "./v1-input.ts"
import { readV1Json, sendPlain, V1Error, type V1Request } from "./v1-request.ts"

const maxSchedules = 200
/** Runs of one schedule and runs of all. */
const maxRuns = { one: 100, all: 200 }

/** `/v1/schedules`, `/v1/schedules/:id` and `…/:id/runs`. */
export async function serveSchedules(request: V1Request): Promise<void> {
  const { res, method, path } = request
  const [, id, runs, ...deeper] = path
  if (deeper.length > 0 || (runs !== undefined && runs !== "runs")) return sendPlain(res, 404, "not found")
  if (id === undefined) {
    if (method === "POST") return createSchedule(request)
    if (method === "GET") return listSchedules(request)
    return sendPlain(res, 405, "method not allowed")
  }
  const number = itemNumber(id)
  if (number === null) return sendPlain(res, 400, "invalid schedule id")
  const { schedule: service } = request.tenant
  if (service === null) throw missing()
  const schedule = await found(service.get(number))
  if (runs === undefined) return serveSchedule(request, service, schedule)
  if (method !== "GET") return sendPlain(res, 405, "method not allowed")
  const history = await service.runs({ ref: schedule.id, limit: maxRuns.one })
  sendJson(res, 200, { runs: history.map((run) => toWireRun(run, schedule.number)) })
}

/** `/v1/runs` and `/v1/runs/:id`. */
export async function serveRuns({ tenant, res, url, method, path }: V1Request): Promise<void> {
  const [, id, ...deeper] = path
  if (deeper.length > 0) return sendPlain(res, 404, "not found")
  if (method !== "GET") return sendPlain(res, 405, "method not allowed")
  const { schedule: service } = tenant
  if (id !== undefined) {
    const run = (await service?.run(id)) ?? null
    if (service === null || run === null) throw new V1Error(404, "run not found")
    return sendJson(res, 200, toWireRun(run, (await service.get(run.scheduleID)).number))
  }
  sendJson(res, 200, { runs: service === null ? [] : await runsOf(service, url.searchParams) })
}

/** `since` counts in seconds. A `task_id` that names no schedule has no runs. */
async function runsOf(service: ScheduleService, search: URLSearchParams) {
  const numbers = new Map((await service.list()).map(({ id, number }) => [id, number]))
  const task = search.get("task_id")
  const ref = [...numbers].find(([, number]) => String(number) === task)?.[0]
  if (task !== null && ref === undefined) return []
  const since = Number(search.get("since")) * 1_000
  const runs = await service.runs({ ref, since: since > 0 ? since : undefined, limit: maxRuns.all })
  return runs.flatMap((run) => {
    const number = numbers.get(run.scheduleID)
    return number === undefined ? [] : [toWireRun(run, number)]
  })
}

async function serveSchedule(request: V1Request, service: ScheduleService, schedule: Schedule): Promise<void> {
  const { req, res, method } = request
  if (method === "GET") return sendJson(res, 200, { scheduled_task: toWireSchedule(schedule) })
  if (method === "PATCH") {
    const { status } = parsed(WireSchedulePatch, await readV1Json(req))
    const changed = await found(service.setStatus(schedule.id, status))
    return sendJson(res, 200, { scheduled_task: toWireSchedule(changed) })
  }
  if (method !== "DELETE") return sendPlain(res, 405, "method not allowed")
  await found(service.remove(schedule.id))
  sendJson(res, 200, { deleted: true })
}

/** Runs in the project of the conversation; without one, in the project that was opened last. */
async function createSchedule(request: V1Request): Promise<void> {
  const { tenant, req, res } = request
  const input = parsed(WireScheduleInput, await readV1Json(req))
  const { schedule: service } = tenant
  if (service === null) throw new V1Error(400, "this tenant runs no agents")
  const sessionID = await conversation(request, input.conversation_id)
  const projectID = await tenant.projectOf(sessionID)
  if (projectID === null) throw new V1Error(400, "open a project first: there is none to work in")
  try {
    const { normalized } = await service.preview(input.schedule)
    const schedule = await service.create({
      projectID,
      sessionID: sessionID ?? undefined,
      when: input.schedule,
      message: input.message,
      agent: input.agent === "index" ? undefined : input.agent,
      missed: input.missed,
    })
    sendJson(res, 201, { scheduled_task: toWireSchedule(schedule), normalized })
  } catch (error) {
    if (!isDocketError(error) || error.code !== "schedule_phrase_invalid") throw error
    sendJson(res, 400, { error: error.message, accepted: scheduleForms.join("\n") })
  }
}

async function listSchedules({ tenant, res, url }: V1Request): Promise<void> {
  const status = url.searchParams.get("status")
  const all = (await tenant.schedule?.list()) ?? []
  const wanted = status ? all.filter((schedule) => schedule.status === status) : all
  const newestFirst = wanted.toSorted((a, b) => b.time.updated - a.time.updated)
  sendJson(res, 200, { schedules: newestFirst.slice(0, maxSchedules).map(toWireSchedule) })
}

function missing(): V1Error {
  return new V1Error(404, "schedule not found")
}

async function found<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isDocketError(error) && error.code === "schedule_not_found" ? missing() : error
  }
}
