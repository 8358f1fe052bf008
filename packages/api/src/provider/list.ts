import { ProjectID, type ProviderInfo } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"

/** Providers with their models and how each is connected. Keys never leave the server. */
export const listProviders = procedure
  .input(z.object({ projectID: ProjectID.optional() }))
  .query(({ ctx, input }): Promise<ProviderInfo[]> => ctx.runtime.provider.list(input.projectID))
