import type { PlanDocument } from "@docket/core"
import { records } from "@docket/core/operations"
import { PartID, type Todo } from "@docket/core/schema"
import { z } from "zod"
import { allowed, router } from "../trpc.ts"
import { SessionInput } from "./input.ts"

export const planRouter = router({
  /** The session's plan as it stands in its file; null before it is written. */
  get: allowed("read")
    .input(SessionInput)
    .query(({ ctx, input }): Promise<PlanDocument | null> => ctx.runtime.plan.get(input.sessionID)),

  /** Writes the plan as a person edited it; `version` is that of the text that they began with. */
  write: allowed("prompt", records("plan.edited"))
    .input(SessionInput.extend({ text: z.string().max(1_000_000), version: z.string().max(100) }))
    .mutation(({ ctx, input: { sessionID, ...edited } }): Promise<PlanDocument> => {
      return ctx.runtime.plan.write(sessionID, edited)
    }),

  /** Makes todos of the plan's steps, each once. `partID`: the call that handed the plan over. */
  makeTodos: allowed("todo.edit", records("todo.edited"))
    .input(SessionInput.extend({ partID: PartID.nullable().default(null) }))
    .mutation(({ ctx, input }): Promise<{ added: Todo[]; known: number }> => {
      return ctx.runtime.plan.makeTodos(input.sessionID, input.partID)
    }),
})
