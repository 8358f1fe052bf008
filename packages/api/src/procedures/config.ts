import type { ConfigReport, ProjectTrust, TrustedDirectory } from "@docket/core"
import { z } from "zod"
import { procedure, router } from "../trpc.ts"
import { MaybeProjectInput, ProjectInput } from "./input.ts"

export const configRouter = router({
  /** The merged configuration, the files it comes from and what is wrong with them. Keys are left out. */
  get: procedure.input(MaybeProjectInput).query(async ({ ctx, input }): Promise<ConfigReport> => {
    return maskKeys(await ctx.runtime.config.get(input.projectID))
  }),

  /**
   * Lets the project's configuration count, as it was when `config.get` told its hash. A conflict when it has changed
   * since.
   */
  trust: procedure
    .input(ProjectInput.extend({ hash: z.string().regex(/^[0-9a-f]{64}$/) }))
    .mutation(({ ctx, input }): Promise<ProjectTrust> => ctx.runtime.config.trust(input)),

  /** Takes back all trust in the configuration of the project's worktree. */
  revokeTrust: procedure
    .input(ProjectInput)
    .mutation(({ ctx, input }): Promise<ProjectTrust> => ctx.runtime.config.revoke(input.projectID)),

  /** Every directory whose configuration the user trusts, newest first. */
  trusted: procedure.query(({ ctx }): Promise<TrustedDirectory[]> => ctx.runtime.config.trusted()),

  /** Takes back all trust in a directory, also in one that is gone. */
  revokeDirectory: procedure
    .input(z.object({ directory: z.string().max(4_096) }))
    .mutation(({ ctx, input }): Promise<void> => ctx.runtime.config.revokeDirectory(input.directory)),
})

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
