import { z } from "zod"
import { ModelRef, ProjectID, Schedule, SessionID } from "../../ground/schema/index.ts"
import { records } from "./audit-rule.ts"
import { givenAlso, ItemRef, MaybeProjectInput } from "./input.ts"
import { inner, mutation, query } from "./operation.ts"

const ScheduleRef = z.object({ schedule: ItemRef })
/** A phrase or five cron fields. */
const When = z.string().trim().min(1).max(500)

const CreateInput = z.object({
  projectID: ProjectID,
  /** The session to prompt; without it each run starts a new one. */
  sessionID: SessionID.optional(),
  when: When,
  message: z.string().trim().min(1).max(100_000),
  agent: z.string().optional(),
  model: ModelRef.optional(),
  missed: Schedule.shape.missed.optional(),
})

const RunsInput = ScheduleRef.partial().extend({ limit: z.number().int().min(1).max(500).optional() })

export const scheduleOperations = {
  /** Schedules of a project or of all, newest first. */
  list: query({
    input: MaybeProjectInput,
    needs: "rows",
    run: ({ schedule }, { projectID }) => schedule.list(projectID),
    lists: ({ sessionID }) => sessionID,
  }),

  /** One schedule. */
  get: query({ input: ScheduleRef, needs: "rows", run: ({ schedule }, ref) => schedule.get(ref.schedule) }),

  /** What a phrase means, and the first times that it stands for. */
  preview: query({
    input: z.object({ when: When }),
    needs: "rows",
    run: ({ schedule }, { when }) => schedule.preview(when),
  }),

  /** Creates a schedule. Each run starts a new session, unless you name one. */
  create: mutation({
    capability: "schedule.edit",
    audit: records("schedule.edited", { facts: ["missed"] }),
    input: CreateInput,
    idempotent: { row: "schedule" },
    member: true,
    run: ({ schedule }, fields, { id }) => schedule.create({ ...fields, id }),
  }),

  /** Pauses, resumes or cancels a schedule. One that has ended stays ended. */
  setStatus: mutation({
    capability: "schedule.edit",
    audit: records("schedule.edited", { targets: ["schedule"], facts: ["status"] }),
    input: ScheduleRef.extend({ status: z.enum(["active", "paused", "canceled"]) }),
    member: true,
    needs: "rows",
    run: ({ schedule }, { schedule: ref, status }) => schedule.setStatus(ref, status),
  }),

  /** Runs a schedule at once, whatever its status. Answers when the prompt is queued or refused. */
  runNow: mutation({
    capability: "schedule.edit",
    audit: records("schedule.edited", { targets: ["schedule"] }),
    input: ScheduleRef,
    idempotent: "remembered",
    member: true,
    run: ({ schedule }, ref) => schedule.runNow(ref.schedule),
  }),

  /** Runs of one schedule or of all, newest first. */
  runs: query({
    input: givenAlso<z.output<typeof RunsInput> & { since?: number | undefined }>()(RunsInput),
    needs: "rows",
    run: ({ schedule }, { schedule: ref, ...asked }) => schedule.runs({ ref, ...asked }),
    newest: { usual: 200, most: 10_000, sessionOf: (run) => run.sessionID },
  }),

  /** One run; null when there is none. */
  run: inner({
    async run({ schedule }, { id }: { id: string }, { visibility }) {
      const run = await schedule.run(id)
      const hidden = await visibility?.hiddenSessions([run?.sessionID ?? null])
      return hidden !== undefined && hidden.size > 0 ? null : run
    },
  }),

  /** Removes a schedule with its history. A run that is working goes on. */
  remove: mutation({
    capability: "schedule.edit",
    audit: records("schedule.edited", { targets: ["schedule"] }),
    input: ScheduleRef,
    needs: "rows",
    run: ({ schedule }, ref) => schedule.remove(ref.schedule),
  }),
}
