import type { TodoEvidence } from "@docket/core"
import { z } from "zod"
import { procedure } from "../trpc.ts"
import { TodoRef } from "./input.ts"

/** The parts of the transcript that ran while the todo was in progress; null when it never was. */
export const todoEvidence = procedure
  .input(z.object({ todo: TodoRef }))
  .query(({ ctx, input }): Promise<TodoEvidence | null> => ctx.runtime.todo.evidence(input.todo))
