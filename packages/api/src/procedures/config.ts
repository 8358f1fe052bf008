import type { ConfigReport, EffectiveConfig, ProjectTrust, TextsInForce, TrustedDirectory } from "@docket/core"
import { records } from "@docket/core/operations"
import { z } from "zod"
import { namedConfig, seesSettings } from "../access/without-settings.ts"
import { allowed, router } from "../trpc.ts"
import { MaybeProjectInput, ProjectInput } from "./input.ts"

export const configRouter = router({
  /**
   * The merged configuration, the files it comes from and what is wrong with them. Keys are left out. Who may not see it is
   * told what new sessions begin with, and whether something waits for trust.
   */
  get: allowed("read")
    .input(MaybeProjectInput)
    .query(async ({ ctx, input }): Promise<ConfigReport> => {
      const report = await ctx.runtime.config.get(input.projectID)
      return seesSettings(ctx) ? maskKeys(report) : namedConfig(report)
    }),

  /** The instructions and skills that reach models in a project, with their sizes and whose they are. */
  texts: allowed("settings.read")
    .input(ProjectInput)
    .query(({ ctx, input }): Promise<TextsInForce> => ctx.runtime.config.texts(input.projectID)),

  /** Every value that counts, with the file and line that sets it. No secrets. */
  effective: allowed("settings.read")
    .input(MaybeProjectInput)
    .query(({ ctx, input }): Promise<EffectiveConfig> => ctx.runtime.config.effective(input.projectID)),

  /**
   * Lets the project's configuration count, as it was when `config.get` told its hash. A conflict when it has changed
   * since.
   */
  trust: allowed("trust.manage", records("trust.given"))
    .input(ProjectInput.extend({ hash: z.string().regex(/^[0-9a-f]{64}$/) }))
    .mutation(({ ctx, input }): Promise<ProjectTrust> => ctx.runtime.config.trust(input)),

  /** Takes back all trust in the configuration of the project's worktree. */
  revokeTrust: allowed("trust.manage", records("trust.ended"))
    .input(ProjectInput)
    .mutation(({ ctx, input }): Promise<ProjectTrust> => ctx.runtime.config.revoke(input.projectID)),

  /** Every directory whose configuration the user trusts, newest first. */
  trusted: allowed("settings.read").query(({ ctx }): Promise<TrustedDirectory[]> => ctx.runtime.config.trusted()),

  /** Takes back all trust in a directory, also in one that is gone. */
  revokeDirectory: allowed("trust.manage", records("trust.ended", { targets: ["directory"] }))
    .input(z.object({ directory: z.string().max(4_096) }))
    .mutation(({ ctx, input }): Promise<void> => ctx.runtime.config.revokeDirectory(input.directory)),
})

/** Leaves out what holds secrets: all that packages of providers are given but an address, and the texts of agents. */
function maskKeys({ config: { provider, agent, ...config }, ...report }: ConfigReport): ConfigReport {
  return {
    ...report,
    config: {
      ...config,
      ...(provider && { provider: mapped(provider, shownProvider) }),
      ...(agent && { agent: mapped(agent, shownAgent) }),
    },
  }
}

type Config = ConfigReport["config"]
type Provider = NonNullable<Config["provider"]>[string]
type Model = NonNullable<Provider["models"]>[string]
type Agent = NonNullable<Config["agent"]>[string]

function mapped<T>(record: Record<string, T>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

function shownProvider({ options, models, ...rest }: Provider): Provider {
  return {
    ...rest,
    ...(models && { models: mapped(models, shownModel) }),
    ...(options?.baseURL && { options: { baseURL: options.baseURL } }),
  }
}

function shownModel({ name, reasoning, tool_call, limit, modalities, cost }: Model): Model {
  return { name, reasoning, tool_call, limit, modalities, cost }
}

function shownAgent({ description, mode, model, permission, tools }: Agent): Agent {
  return { description, mode, model, permission, tools }
}
