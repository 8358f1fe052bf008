import { isDocketError, type UseCases } from "@docket/core"
import type { Schedule } from "@docket/core/schema"
import { createMiddleware } from "hono/factory"
import type { V1Env } from "./v1-app.ts"
import { V1Error } from "./v1-error.ts"
import { itemParams } from "./v1-input.ts"

export const scheduleParams = itemParams("schedule", "the schedule's number")

interface NamedEnv extends V1Env {
  Variables: V1Env["Variables"] & { named: { service: UseCases["schedule"]; schedule: Schedule } }
}

/** Finds the schedule that an address names, before anything else of the request is looked at. */
export const nameSchedule = createMiddleware<NamedEnv>(async (c, next) => {
  const { schedule: service } = c.var.tenant
  if (service === null) throw missing()
  const { id } = scheduleParams.parse(c.req.param())
  c.set("named", { service, schedule: await foundSchedule(service.get({ schedule: id })) })
  await next()
})

/** @throws V1Error 404 for a schedule that is not there */
export async function foundSchedule<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isDocketError(error) && error.code === "schedule_not_found" ? missing() : error
  }
}

function missing(): V1Error {
  return new V1Error(404, "schedule not found")
}
