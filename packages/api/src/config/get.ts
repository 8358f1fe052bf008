import type { ConfigReport } from "@docket/core"
import { ProjectID } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"

/** The merged configuration, the files it comes from and what is wrong with them. Keys are left out. */
export const getConfig = procedure
  .input(z.object({ projectID: ProjectID.optional() }))
  .query(async ({ ctx, input }): Promise<ConfigReport> => maskKeys(await ctx.runtime.config.get(input.projectID)))

/** Leaves the base URL of a provider's options: keys and headers are secrets. */
function maskKeys(report: ConfigReport): ConfigReport {
  if (!report.config.provider) return report
  const provider = Object.fromEntries(
    Object.entries(report.config.provider).map(([id, { options, ...rest }]) => {
      return [id, options?.baseURL ? { ...rest, options: { baseURL: options.baseURL } } : rest]
    }),
  )
  return { ...report, config: { ...report.config, provider } }
}
