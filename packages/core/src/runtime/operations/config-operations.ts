import { z } from "zod"
import type { ConfigReport } from "../../setup/config/config-report.ts"
import { records } from "./audit-rule.ts"
import { MaybeProjectInput, ProjectInput } from "./input.ts"
import { inner, mutation, query } from "./operation.ts"
import { namedConfig } from "./without-settings.ts"

export const configOperations = {
  /**
   * The merged configuration, the files it comes from and what is wrong with them. Keys are left out. Who may not see it is
   * told what new sessions begin with, and whether something waits for trust.
   */
  get: query({
    input: MaybeProjectInput,
    async run({ config }, { projectID }, { asker }) {
      const report = await config.get(projectID)
      return asker.may("settings.read") ? maskKeys(report) : namedConfig(report)
    },
  }),

  /** The same with keys, for the service itself. */
  report: inner({ run: ({ config }, { projectID }: { projectID?: string | undefined }) => config.get(projectID) }),

  /** The instructions and skills that reach models in a project, with their sizes and whose they are. */
  texts: query({
    capability: "settings.read",
    input: ProjectInput,
    run: ({ config }, { projectID }) => config.texts(projectID),
  }),

  /** Every value that counts, with the file and line that sets it. No secrets. */
  effective: query({
    capability: "settings.read",
    input: MaybeProjectInput,
    run: ({ config }, { projectID }) => config.effective(projectID),
  }),

  /**
   * Lets the project's configuration count, as it was when `config.get` told its hash. A conflict when it has changed
   * since.
   */
  trust: mutation({
    capability: "trust.manage",
    audit: records("trust.given"),
    input: ProjectInput.extend({ hash: z.string().regex(/^[0-9a-f]{64}$/) }),
    run: ({ config }, trusted) => config.trust(trusted),
  }),

  /** Takes back all trust in the configuration of the project's worktree. */
  revokeTrust: mutation({
    capability: "trust.manage",
    audit: records("trust.ended"),
    input: ProjectInput,
    run: ({ config }, { projectID }) => config.revoke(projectID),
  }),

  /** Every directory whose configuration the user trusts, newest first. */
  trusted: query({ capability: "settings.read", input: null, run: ({ config }) => config.trusted() }),

  /** Takes back all trust in a directory, also in one that is gone. */
  revokeDirectory: mutation({
    capability: "trust.manage",
    audit: records("trust.ended", { targets: ["directory"] }),
    input: z.object({ directory: z.string().max(4_096) }),
    run: ({ config }, { directory }) => config.revokeDirectory(directory),
  }),
}

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
