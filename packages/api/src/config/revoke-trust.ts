import type { ProjectTrust } from "@docket/core"
import { ProjectID } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"

/** Takes back all trust in the configuration of the project's worktree. */
export const revokeConfigTrust = procedure
  .input(z.object({ projectID: ProjectID }))
  .mutation(({ ctx, input }): Promise<ProjectTrust> => ctx.runtime.config.revoke(input.projectID))
