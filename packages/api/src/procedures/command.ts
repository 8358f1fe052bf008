import type { PromptCommand } from "@docket/core/schema"
import { namedCommand, seesSettings } from "../access/without-settings.ts"
import { allowed, router } from "../trpc.ts"
import { ProjectInput } from "./input.ts"

export const commandRouter = router({
  /** What `/name` stands for in prompts of the project. A prompt by a command is one with a part of that type. */
  list: allowed("read")
    .input(ProjectInput)
    .query(async ({ ctx, input }): Promise<PromptCommand[]> => {
      const commands = await ctx.runtime.command.list(input.projectID)
      return seesSettings(ctx) ? commands : commands.map(namedCommand)
    }),
})
