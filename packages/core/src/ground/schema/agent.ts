import { z } from "zod"
import { ModelRef } from "./model.ts"
import { PermissionRuleset } from "./permission.ts"

/** The agents that ship with Docket. */
export const builtinAgentNames = ["build", "plan", "general", "explore", "compaction", "title", "summary"] as const

/** An agent is configuration, not code: the loop reads it to choose prompt, tools, model and rights. */
export const Agent = z.object({
  name: z.string(),
  description: z.string(),
  mode: z.enum(["primary", "subagent", "all"]),
  /** The agent ships with Docket. */
  native: z.boolean(),
  /** Not offered to people or models; the runtime calls it by name. */
  hidden: z.boolean(),
  permission: PermissionRuleset,
  model: ModelRef.nullable(),
  /** The variant of the model to use; ignored when the model has no such variant. */
  variant: z.string().nullable(),
  /** Replaces the default prompt of its role and the model's family. */
  prompt: z.string().nullable(),
  temperature: z.number().nullable(),
  topP: z.number().nullable(),
  /** Most model calls in one turn; null means no limit. */
  steps: z.number().int().positive().nullable(),
  color: z.string().nullable(),
  /** Passed to the provider as it is. */
  options: z.record(z.string(), z.unknown()),
  /** The program of other people that does its work, by name. Missing for agents that Docket runs. */
  program: z.string().optional(),
  /** Why no session may use the agent: its file cannot be read. Null when sessions may use it. */
  problem: z.string().nullable(),
})
export type Agent = z.infer<typeof Agent>

/**
 * The rights of an agent that a form offers: the rules for everyone (`rules`), a question before each edit and command
 * (`asks`), or reading only (`reads`). `written` means that the file has other rights, which the form keeps.
 */
const AgentRights = z.enum(["rules", "asks", "reads", "written"])
export type AgentRights = z.infer<typeof AgentRights>

/** The usual settings of an agent that a Markdown file defines; a setting that is null or empty is not in the file. */
export const AgentForm = z.object({
  description: z.string().max(2_000),
  mode: z.enum(["primary", "subagent", "all"]),
  /** `provider/model`. */
  model: z.string().max(300).nullable(),
  variant: z.string().max(100).nullable(),
  temperature: z.number().min(0).max(2).nullable(),
  topP: z.number().min(0).max(1).nullable(),
  steps: z.number().int().positive().max(10_000).nullable(),
  color: z.string().max(40).nullable(),
  hidden: z.boolean(),
  disable: z.boolean(),
  rights: AgentRights,
  prompt: z.string().max(120_000),
})
export type AgentForm = z.infer<typeof AgentForm>
