import { isDocketError, scheduleForms, type UseCases } from "@docket/core"
import { Schedule } from "@docket/core/schema"
import { z } from "@hono/zod-openapi"
import { createMiddleware } from "hono/factory"
import { answerJson } from "../http/answer.ts"
import { requires } from "../http/guarded-routes.ts"
import { cursorParameter, listPage, nextCursor, pageOf, sizeToRead } from "./list-page.ts"
import { addRoute, inWordsOf } from "./operation-routes.ts"
import { answerProblem } from "./problem.ts"
import { createSchedule, getRun, listRuns, RunsBody, ScheduleBody } from "./schedule-routes.ts"
import { toWireRun, toWireSchedule, WireSchedule, WireSchedulePatch } from "./schedule-wire.ts"
import type { V1App, V1Env } from "./v1-app.ts"
import { V1Error } from "./v1-error.ts"
import { conversation, itemParams } from "./v1-input.ts"

const maxSchedules = 200
/** Maximum number of runs in an answer: of one schedule, and of all schedules. */
const maxRuns = { one: 100, all: 200 }

/** `/v1/schedules`, `/v1/schedules/:id`, `…/:id/runs`, `/v1/runs` and `/v1/runs/:id`. */
export function addSchedules(app: V1App): void {
  app.openapi(createSchedule, async (c) => {
    const input = c.req.valid("json")
    const { tenant } = c.var
    if (tenant.schedule === null) throw new V1Error(400, "this tenant runs no agents")
    const sessionID = await conversation(tenant, input.conversation_id)
    // Without a conversation it runs in the project that was opened last.
    const projectID = await tenant.projectOf(sessionID)
    if (projectID === null) throw new V1Error(400, "open a project first: there is none to work in")
    try {
      const { normalized } = await tenant.schedule.preview({ when: input.schedule })
      const schedule = await tenant.schedule.create({
        projectID,
        sessionID: sessionID ?? undefined,
        when: input.schedule,
        message: input.message,
        agent: input.agent === "index" ? undefined : input.agent,
        missed: input.missed,
      })
      c.var.recorder?.about({ schedule: schedule.id })
      return answerJson(c, { scheduled_task: toWireSchedule(schedule), normalized }, 201)
    } catch (error) {
      if (!isDocketError(error) || error.code !== "schedule_phrase_invalid") throw error
      const more = { code: error.code, accepted: scheduleForms.join("\n") }
      return answerProblem(c, { status: 400, message: error.message, more })
    }
  })
  addRoute(app, "schedule.list", {
    method: "get",
    path: "/schedules",
    operationID: "listSchedules",
    summary: "Schedules.",
    query: {
      status: { type: "string", enum: Schedule.shape.status.options, description: "only these" },
      cursor: cursorParameter,
    },
    status: 200,
    answer: {
      description: "at most 200, last changed first",
      schema: z.object({ schedules: z.array(WireSchedule), ...nextCursor }),
    },
    refusals: { 400: "the request is not valid; says what is wrong" },
    read: () => ({}),
    write(all, { query: { status, cursor } }) {
      const matching = status ? all.filter((schedule) => schedule.status === status) : all
      const newestFirst = matching.toSorted((a, b) => b.time.updated - a.time.updated)
      const { items, next_cursor } = pageOf(newestFirst, listPage(cursor, maxSchedules))
      return { schedules: items.map(toWireSchedule), next_cursor }
    },
    withoutAgents: () => ({ schedules: [], next_cursor: null }),
  })
  addOne(app)

  // An unknown schedule is 404 for every method, even for those without a route.
  for (const path of ["/schedules/:id", "/schedules/:id/runs"]) app.use(path, requires("read"), findSchedule)

  app.openapi(listRuns, async (c) => {
    const { schedule: service } = c.var.tenant
    const { cursor, ...query } = c.req.valid("query")
    const page = listPage(cursor, maxRuns.all)
    const runs = service === null ? [] : await runsOf(service, { ...query, limit: sizeToRead(page) })
    const { items, next_cursor } = pageOf(runs, page)
    return answerJson(c, { runs: items, next_cursor }, 200)
  })

  app.openapi(getRun, async (c) => {
    const { schedule: service } = c.var.tenant
    const run = (await service?.run({ id: c.req.valid("param").id })) ?? null
    if (service === null || run === null) throw new V1Error(404, "run not found")
    return answerJson(c, toWireRun(run, (await service.get({ schedule: run.scheduleID })).number), 200)
  })
}

const ofItem = {
  path: "/schedules/{id}",
  item: { numberOf: "schedule" },
  status: 200,
  answer: { description: "the schedule", schema: ScheduleBody },
  refusals: { 404: "schedule not found" },
  errors: { schedule_not_found: [404, "schedule not found"] },
  read: ({ number }: { number: number }) => ({ schedule: number }),
} as const

/** Adds the routes of one schedule. The schedule is looked up before the rest of the request is read. */
function addOne(app: V1App): void {
  const toBody = (schedule: Schedule) => ({ scheduled_task: toWireSchedule(schedule) })
  const get = {
    ...ofItem,
    method: "get",
    operationID: "getSchedule",
    summary: "One schedule.",
    write: toBody,
  } as const
  addRoute(app, "schedule.get", get, findSchedule)

  const patch = { ...ofItem, method: "patch", operationID: "patchSchedule" } as const
  addRoute(
    app,
    "schedule.setStatus",
    {
      ...patch,
      summary: "Changes a schedule, or pauses it.",
      body: WireSchedulePatch,
      refusals: { 400: "the body is not valid; says what is wrong", ...ofItem.refusals },
      read: ({ number, body }) => ({ schedule: number, ...body }),
      write: toBody,
    },
    findSchedule,
  )

  const remove = { ...ofItem, method: "delete", operationID: "deleteSchedule", summary: "Removes a schedule." } as const
  const gone = { description: "it is gone with its runs", schema: z.object({ deleted: z.literal(true) }) }
  addRoute(app, "schedule.remove", { ...remove, answer: gone, write: () => ({ deleted: true }) }, findSchedule)

  addRoute(
    app,
    "schedule.runs",
    {
      ...ofItem,
      method: "get",
      path: `${ofItem.path}/runs`,
      operationID: "scheduleRuns",
      summary: "The runs of a schedule, newest first.",
      query: { cursor: cursorParameter },
      answer: { description: "at most 100, newest first", schema: RunsBody },
      read: ({ number, query: { cursor } }) => ({
        schedule: number,
        limit: sizeToRead(listPage(cursor, maxRuns.one)),
      }),
      write(history, { number, query: { cursor } }) {
        const { items, next_cursor } = pageOf(history, listPage(cursor, maxRuns.one))
        return { runs: items.map((run) => toWireRun(run, number)), next_cursor }
      },
    },
    findSchedule,
  )
}

/** @throws V1Error 404 for an unknown schedule */
const findSchedule = createMiddleware<V1Env>(async (c, next) => {
  const { schedule } = c.var.tenant
  const { id } = itemParams("schedule").parse(c.req.param())
  const get = async () => (schedule === null ? null : await schedule.get({ schedule: id }))
  if ((await inWordsOf(ofItem, get)) === null) throw new V1Error(...ofItem.errors.schedule_not_found)
  await next()
})

/** `since` is in seconds. An unknown `task_id` has no runs. */
async function runsOf(
  service: UseCases["schedule"],
  query: { since?: string | undefined; task_id?: string | undefined; limit: number },
) {
  const numbers = new Map((await service.list({})).map(({ id, number }) => [id, number]))
  const { task_id: task } = query
  const scheduleID = [...numbers].find(([, number]) => String(number) === task)?.[0]
  if (task !== undefined && scheduleID === undefined) return []
  const since = Number(query.since ?? 0) * 1_000
  const runs = await service.runs({ schedule: scheduleID, since: since > 0 ? since : undefined, limit: query.limit })
  return runs.flatMap((run) => {
    const number = numbers.get(run.scheduleID)
    return number === undefined ? [] : [toWireRun(run, number)]
  })
}
