import { isDocketError, scheduleForms, type UseCases } from "@docket/core"
import { answerJson } from "../http/answer.ts"
import { requires } from "../http/guarded-routes.ts"
import { foundSchedule, nameSchedule, scheduleParams } from "./named-schedule.ts"
import {
  createSchedule,
  deleteSchedule,
  getRun,
  getSchedule,
  listRuns,
  listSchedules,
  patchSchedule,
  scheduleRuns,
} from "./schedule-routes.ts"
import { toWireRun, toWireSchedule } from "./schedule-wire.ts"
import type { V1App } from "./v1-app.ts"
import { V1Error } from "./v1-error.ts"
import { checkItem, conversation } from "./v1-input.ts"

const maxSchedules = 200
/** Runs of one schedule and runs of all. */
const maxRuns = { one: 100, all: 200 }

/** `/v1/schedules`, `/v1/schedules/:id`, `…/:id/runs`, `/v1/runs` and `/v1/runs/:id`. */
export function addSchedules(app: V1App): void {
  app.use("/schedules/:id", checkItem(scheduleParams))
  app.use("/schedules/:id/runs", checkItem(scheduleParams))

  app.openapi(createSchedule, async (c) => {
    const input = c.req.valid("json")
    const { tenant } = c.var
    if (tenant.schedule === null) throw new V1Error(400, "this tenant runs no agents")
    const sessionID = await conversation(c, input.conversation_id)
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
      return answerJson(c, { error: error.message, accepted: scheduleForms.join("\n") }, 400)
    }
  })
  app.openapi(listSchedules, async (c) => {
    const { status } = c.req.valid("query")
    const all = (await c.var.tenant.schedule?.list({})) ?? []
    const wanted = status ? all.filter((schedule) => schedule.status === status) : all
    const newestFirst = wanted.toSorted((a, b) => b.time.updated - a.time.updated)
    return answerJson(c, { schedules: newestFirst.slice(0, maxSchedules).map(toWireSchedule) }, 200)
  })

  app.openapi(getSchedule, (c) => answerJson(c, { scheduled_task: toWireSchedule(c.var.named.schedule) }, 200))

  app.openapi(patchSchedule, async (c) => {
    const { service, schedule } = c.var.named
    const changed = await foundSchedule(service.setStatus({ schedule: schedule.id, ...c.req.valid("json") }))
    return answerJson(c, { scheduled_task: toWireSchedule(changed) }, 200)
  })

  app.openapi(deleteSchedule, async (c) => {
    const { service, schedule } = c.var.named
    await foundSchedule(service.remove({ schedule: schedule.id }))
    return answerJson(c, { deleted: true } as const, 200)
  })

  app.openapi(scheduleRuns, async (c) => {
    const { service, schedule } = c.var.named
    const history = await service.runs({ schedule: schedule.id, limit: maxRuns.one })
    return answerJson(c, { runs: history.map((run) => toWireRun(run, schedule.number)) }, 200)
  })

  // By a method that no route has, too, a schedule that is not there is not there.
  for (const path of ["/schedules/:id", "/schedules/:id/runs"]) app.use(path, requires("read"), nameSchedule)

  app.openapi(listRuns, async (c) => {
    const { schedule: service } = c.var.tenant
    return answerJson(c, { runs: service === null ? [] : await runsOf(service, c.req.valid("query")) }, 200)
  })

  app.openapi(getRun, async (c) => {
    const { schedule: service } = c.var.tenant
    const run = (await service?.run({ id: c.req.valid("param").id })) ?? null
    if (service === null || run === null) throw new V1Error(404, "run not found")
    return answerJson(c, toWireRun(run, (await service.get({ schedule: run.scheduleID })).number), 200)
  })
}

/** `since` counts in seconds. A `task_id` that names no schedule has no runs. */
async function runsOf(
  service: UseCases["schedule"],
  query: { since?: string | undefined; task_id?: string | undefined },
) {
  const numbers = new Map((await service.list({})).map(({ id, number }) => [id, number]))
  const { task_id: task } = query
  const ref = [...numbers].find(([, number]) => String(number) === task)?.[0]
  if (task !== undefined && ref === undefined) return []
  const since = Number(query.since ?? 0) * 1_000
  const runs = await service.runs({ schedule: ref, since: since > 0 ? since : undefined, limit: maxRuns.all })
  return runs.flatMap((run) => {
    const number = numbers.get(run.scheduleID)
    return number === undefined ? [] : [toWireRun(run, number)]
  })
}
