import { records } from "@docket/core/operations"
import { z } from "@hono/zod-openapi"
import { guardedRoute } from "./guarded-route.ts"
import { cursorParameter, nextCursor } from "./list-page.ts"
import { errorResponse, jsonBody, jsonResponse, queryParameter, refusals } from "./openapi-parts.ts"
import { Problem } from "./problem.ts"
import { WireRun, WireSchedule, WireScheduleInput } from "./schedule-wire.ts"
import { readJsonBody } from "./v1-input.ts"

/** The bodies of answers: one schedule, and a list of runs. */
export const ScheduleBody = z.object({ scheduled_task: WireSchedule })
export const RunsBody = z.object({ runs: z.array(WireRun), ...nextCursor })
const InvalidSchedule = z.object({ ...Problem.shape, accepted: z.string().optional() }).openapi("ScheduleProblem")

export const createSchedule = guardedRoute(
  "schedule.edit",
  {
    method: "post",
    path: "/schedules",
    operationId: "createSchedule",
    summary: "Makes a schedule.",
    middleware: readJsonBody,
    request: { body: jsonBody(WireScheduleInput) },
    responses: {
      201: jsonResponse("the schedule, and its phrase in full", ScheduleBody.extend({ normalized: z.string() })),
      400: jsonResponse("the body is not valid; `accepted` lists the forms of a phrase", InvalidSchedule),
      404: errorResponse("there is no such agent"),
      ...refusals,
    },
  },
  records("schedule.edited"),
)

const RunQuery = z.object({
  since: queryParameter({ type: "integer" }, "started then or later, epoch seconds"),
  task_id: queryParameter({ type: "integer" }, "the schedule's number"),
  cursor: queryParameter({ type: "string" }, cursorParameter.description),
})

export const listRuns = guardedRoute("read", {
  method: "get",
  path: "/runs",
  operationId: "listRuns",
  summary: "The runs of all schedules, newest first.",
  request: { query: RunQuery },
  responses: { 200: jsonResponse("200 at most", RunsBody), ...refusals },
})

export const getRun = guardedRoute("read", {
  method: "get",
  path: "/runs/{id}",
  operationId: "getRun",
  summary: "One run.",
  request: { params: z.object({ id: z.string().openapi({ param: { description: "the run's id" } }) }) },
  responses: { 200: jsonResponse("the run", WireRun), 404: errorResponse("run not found"), ...refusals },
})
