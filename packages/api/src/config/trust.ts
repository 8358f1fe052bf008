import type { ProjectTrust } from "@docket/core"
import { ProjectID } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"

/**
 * Lets the project's configuration count, as it was when `config.get` told its hash. A conflict when it has changed
 * since.
 */
export const trustConfig = procedure
  .input(z.object({ projectID: ProjectID, hash: z.string().regex(/^[0-9a-f]{64}$/) }))
  .mutation(({ ctx, input }): Promise<ProjectTrust> => ctx.runtime.config.trust(input))
