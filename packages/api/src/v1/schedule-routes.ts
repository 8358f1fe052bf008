import { records } from "@docket/core/operations"
import { Schedule } from "@docket/core/schema"
import { z } from "@hono/zod-openapi"
import { guardedRoute } from "./guarded-route.ts"
import { nameSchedule, scheduleParams } from "./named-schedule.ts"
import { errorResponse, jsonBody, jsonResponse, queryParameter, refusals } from "./openapi-parts.ts"
import { WireRun, WireSchedule, WireScheduleInput, WireSchedulePatch } from "./schedule-wire.ts"
import { readJsonBody } from "./v1-input.ts"

const list = "/schedules"
const item = "/schedules/{id}"

const one = z.object({ scheduled_task: WireSchedule })
const runs = z.object({ runs: z.array(WireRun) })
const missing = { 404: errorResponse("schedule not found") }
const invalid = { 400: errorResponse("the body is not valid; says what is wrong") }

export const createSchedule = guardedRoute(
  "schedule.edit",
  {
    method: "post",
    path: list,
    operationId: "createSchedule",
    summary: "Makes a schedule.",
    middleware: readJsonBody,
    request: { body: jsonBody(WireScheduleInput) },
    responses: {
      201: jsonResponse("the schedule, and its phrase in full", one.extend({ normalized: z.string() })),
      400: jsonResponse(
        "the body is not valid; `accepted` lists the forms of a phrase",
        z.object({ error: z.string(), accepted: z.string().optional() }),
      ),
      404: errorResponse("there is no such agent"),
      ...refusals,
    },
  },
  records("schedule.edited"),
)

const ScheduleQuery = z.object({
  status: queryParameter({ type: "string", enum: Schedule.shape.status.options }, "only these"),
})

export const listSchedules = guardedRoute("read", {
  method: "get",
  path: list,
  operationId: "listSchedules",
  summary: "Schedules.",
  request: { query: ScheduleQuery },
  responses: {
    200: jsonResponse("at most 200, last changed first", z.object({ schedules: z.array(WireSchedule) })),
    ...refusals,
  },
})

export const getSchedule = guardedRoute("read", {
  method: "get",
  path: item,
  operationId: "getSchedule",
  summary: "One schedule.",
  middleware: nameSchedule,
  request: { params: scheduleParams },
  responses: { 200: jsonResponse("the schedule", one), ...missing, ...refusals },
})

export const patchSchedule = guardedRoute(
  "schedule.edit",
  {
    method: "patch",
    path: item,
    operationId: "patchSchedule",
    summary: "Changes a schedule, or pauses it.",
    middleware: [nameSchedule, readJsonBody] as const,
    request: { params: scheduleParams, body: jsonBody(WireSchedulePatch) },
    responses: { 200: jsonResponse("the schedule", one), ...invalid, ...missing, ...refusals },
  },
  records("schedule.edited", { targets: ["id"] }),
)

export const deleteSchedule = guardedRoute(
  "schedule.edit",
  {
    method: "delete",
    path: item,
    operationId: "deleteSchedule",
    summary: "Removes a schedule.",
    middleware: nameSchedule,
    request: { params: scheduleParams },
    responses: {
      200: jsonResponse("it is gone with its runs", z.object({ deleted: z.literal(true) })),
      ...missing,
      ...refusals,
    },
  },
  records("schedule.edited", { targets: ["id"] }),
)

export const scheduleRuns = guardedRoute("read", {
  method: "get",
  path: `${item}/runs`,
  operationId: "scheduleRuns",
  summary: "The runs of a schedule, newest first.",
  middleware: nameSchedule,
  request: { params: scheduleParams },
  responses: { 200: jsonResponse("at most 100, newest first", runs), ...missing, ...refusals },
})

const RunQuery = z.object({
  since: queryParameter({ type: "integer" }, "started then or later, epoch seconds"),
  task_id: queryParameter({ type: "integer" }, "the schedule's number"),
})

export const listRuns = guardedRoute("read", {
  method: "get",
  path: "/runs",
  operationId: "listRuns",
  summary: "The runs of all schedules, newest first.",
  request: { query: RunQuery },
  responses: { 200: jsonResponse("the newest 200", runs), ...refusals },
})

export const getRun = guardedRoute("read", {
  method: "get",
  path: "/runs/{id}",
  operationId: "getRun",
  summary: "One run.",
  request: { params: z.object({ id: z.string().openapi({ param: { description: "the run's id" } }) }) },
  responses: { 200: jsonResponse("the run", WireRun), 404: errorResponse("run not found"), ...refusals },
})
