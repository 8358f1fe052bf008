import { ModelRef, type Session } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"
import { SessionInput } from "./input.ts"

const Input = SessionInput.extend({
  title: z.string().trim().min(1).max(200).optional(),
  archived: z.boolean().optional(),
  agent: z.string().optional(),
  model: ModelRef.optional(),
  variant: z.string().min(1).nullable().optional(),
})

export const updateSession = procedure.input(Input).mutation(({ ctx, input }): Promise<Session> => {
  const { sessionID, ...patch } = input
  return ctx.runtime.session.update(sessionID, patch)
})
