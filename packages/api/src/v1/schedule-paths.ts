import { Schedule } from "@docket/core/schema"
import { z } from "zod"
import {
  errorResponse,
  jsonBody,
  jsonResponse,
  type OpenApiPaths,
  pathParameter,
  queryParameter,
  refusals,
} from "./openapi-parts.ts"
import { WireRun, WireSchedule, WireScheduleInput, WireSchedulePatch } from "./schedule-wire.ts"

const one = z.object({ scheduled_task: WireSchedule })
const runs = z.object({ runs: z.array(WireRun) })

/** `/v1/schedules` and `/v1/runs` for the OpenAPI document. */
export function schedulePaths(): OpenApiPaths {
  const missing = { 404: errorResponse("schedule not found") }
  const invalid = { 400: errorResponse("the body is not valid; says what is wrong") }
  const parameters = [pathParameter("id", { type: "integer" }, "the schedule's number")]
  const refused = z.object({ error: z.string(), accepted: z.string().optional() })
  const deleted = jsonResponse("it is gone with its runs", z.object({ deleted: z.literal(true) }))
  const history = jsonResponse("at most 100, newest first", runs)
  return {
    "/v1/schedules": {
      post: {
        operationId: "createSchedule",
        requestBody: jsonBody(WireScheduleInput),
        responses: {
          201: jsonResponse("the schedule, and its phrase in full", one.extend({ normalized: z.string() })),
          400: jsonResponse("the body is not valid; `accepted` lists the forms of a phrase", refused),
          404: errorResponse("there is no such agent"),
          ...refusals(),
        },
      },
      get: {
        operationId: "listSchedules",
        parameters: [queryParameter("status", { type: "string", enum: Schedule.shape.status.options }, "only these")],
        responses: {
          200: jsonResponse("at most 200, last changed first", z.object({ schedules: z.array(WireSchedule) })),
          ...refusals(),
        },
      },
    },
    "/v1/schedules/{id}": {
      get: {
        operationId: "getSchedule",
        parameters,
        responses: { 200: jsonResponse("the schedule", one), ...missing, ...refusals() },
      },
      patch: {
        operationId: "patchSchedule",
        parameters,
        requestBody: jsonBody(WireSchedulePatch),
        responses: { 200: jsonResponse("the schedule", one), ...invalid, ...missing, ...refusals() },
      },
      delete: { operationId: "deleteSchedule", parameters, responses: { 200: deleted, ...missing, ...refusals() } },
    },
    "/v1/schedules/{id}/runs": {
      get: { operationId: "scheduleRuns", parameters, responses: { 200: history, ...missing, ...refusals() } },
    },
    ...runPaths(),
  }
}

function runPaths(): OpenApiPaths {
  return {
    "/v1/runs": {
      get: {
        operationId: "listRuns",
        parameters: [
          queryParameter("since", { type: "integer" }, "started then or later, epoch seconds"),
          queryParameter("task_id", { type: "integer" }, "the schedule's number"),
        ],
        responses: { 200: jsonResponse("the newest 200", runs), ...refusals() },
      },
    },
    "/v1/runs/{id}": {
      get: {
        operationId: "getRun",
        parameters: [pathParameter("id", { type: "string" }, "the run's id")],
        responses: { 200: jsonResponse("the run", WireRun), 404: errorResponse("run not found"), ...refusals() },
      },
    },
  }
}
