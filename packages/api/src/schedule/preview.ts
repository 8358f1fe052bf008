import { z } from "zod"
import { procedure } from "../trpc.ts"
import { When } from "./input.ts"

/** What a phrase means, and the first times it stands for. */
export const previewSchedule = procedure
  .input(z.object({ when: When }))
  .query(({ ctx, input }) => ctx.runtime.schedule.preview(input.when))
