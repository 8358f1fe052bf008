import { z } from "zod"
import type { ConfigReport } from "../../setup/config/config-report.ts"
import { records } from "./audit-rule.ts"
import { MaybeProjectInput, ProjectInput } from "./input.ts"
import { inner, mutation, query } from "./operation.ts"
import { namedConfig } from "./without-settings.ts"

export const configOperations = {
  /**
   * The merged configuration without keys, its files, every problem (file, line, reason), and whether the project is
   * trusted. Without `settings.read`: only what new sessions start with, and whether something waits for trust.
   */
  get: query({
    input: MaybeProjectInput,
    async run({ config }, { projectID }, { asker }) {
      const report = await config.get(projectID)
      return asker.may("settings.read") ? maskKeys(report) : namedConfig(report)
    },
  }),

  /** The same with keys, only for the service itself. */
  report: inner({ run: ({ config }, { projectID }: { projectID?: string | undefined }) => config.get(projectID) }),

  /** The instructions and skills that models get in a project, with their sizes and their owners. */
  texts: query({
    capability: "settings.read",
    input: ProjectInput,
    run: ({ config }, { projectID }) => config.texts(projectID),
  }),

  /** Every value in force, with the file and line that sets it. No secrets. */
  effective: query({
    capability: "settings.read",
    input: MaybeProjectInput,
    run: ({ config }, { projectID }) => config.effective(projectID),
  }),

  /**
   * Trusts the project's configuration as it was when `config.get` gave its hash. Fails with `config_changed` when it
   * has changed since.
   */
  trust: mutation({
    capability: "trust.manage",
    audit: records("trust.given"),
    input: ProjectInput.extend({ hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    run: ({ config }, trusted) => config.trust(trusted),
  }),

  /** Ends all trust in the configuration of the project's worktree. */
  revokeTrust: mutation({
    capability: "trust.manage",
    audit: records("trust.ended"),
    input: ProjectInput,
    run: ({ config }, { projectID }) => config.revoke(projectID),
  }),

  /** Every directory whose configuration the user trusts, newest first. */
  trusted: query({ capability: "settings.read", input: null, run: ({ config }) => config.trusted() }),

  /** Ends all trust in a directory, even one that is gone. */
  revokeDirectory: mutation({
    capability: "trust.manage",
    audit: records("trust.ended", { targets: ["directory"] }),
    input: z.object({ directory: z.string().max(4_096) }),
    run: ({ config }, { directory }) => config.revokeDirectory(directory),
  }),
}

/** Leaves out what holds secrets: the options of providers except an address, and the texts of agents. */
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
