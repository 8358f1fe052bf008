import { z } from "zod"
import { procedure } from "../trpc.ts"

/** Takes back all trust in a directory, also in one that is gone. */
export const revokeTrustedDirectory = procedure
  .input(z.object({ directory: z.string().max(4_096) }))
  .mutation(({ ctx, input }): Promise<void> => ctx.runtime.config.revokeDirectory(input.directory))
