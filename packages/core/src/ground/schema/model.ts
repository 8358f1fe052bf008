import { z } from "zod"

/** Which model runs a step, e.g. `{ providerID: "anthropic", modelID: "claude-sonnet-4-5" }`. */
export const ModelRef = z.object({ providerID: z.string().min(1), modelID: z.string().min(1) })
export type ModelRef = z.infer<typeof ModelRef>

/** Token counts of one step, or sums of them. `input` excludes cached tokens; `output` excludes reasoning. */
export const TokenUsage = z.object({
  input: z.number().int().nonnegative(),
  output: z.number().int().nonnegative(),
  reasoning: z.number().int().nonnegative(),
  cache: z.object({ read: z.number().int().nonnegative(), write: z.number().int().nonnegative() }),
})
export type TokenUsage = z.infer<typeof TokenUsage>

/** USD per million tokens. */
export const ModelCost = z.object({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cacheRead: z.number().nonnegative().default(0),
  cacheWrite: z.number().nonnegative().default(0),
})
export type ModelCost = z.infer<typeof ModelCost>

/**
 * A model as the user sees it. Limits are in tokens; 0 means unknown. `input` is set when the input has a separate
 * limit.
 */
export const ModelInfo = z.object({
  id: z.string(),
  providerID: z.string(),
  name: z.string(),
  limit: z.object({
    context: z.number().int().nonnegative(),
    input: z.number().int().positive().optional(),
    output: z.number().int().nonnegative(),
  }),
  cost: ModelCost.nullable(),
  reasoning: z.boolean(),
  toolCall: z.boolean(),
  /** The kinds of input that the model reads besides text; absent when unknown. */
  inputs: z.array(z.enum(["image", "pdf", "audio", "video"])).optional(),
  /** Names of the option sets that a prompt may choose, such as how hard the model thinks; weakest first. */
  variants: z.array(z.string()).default([]),
  /** True when no language model answers, only a rehearsal; the UI says so. */
  rehearsal: z.boolean().default(false),
})
export type ModelInfo = z.infer<typeof ModelInfo>

/** A provider and where its credentials come from. Keys themselves never leave the server. */
export const ProviderInfo = z.object({
  id: z.string(),
  name: z.string(),
  source: z.enum(["environment", "saved", "config", "local", "builtin", "plugin", "none"]),
  /** Names of the environment variables that can hold its credentials. */
  env: z.array(z.string()),
  connected: z.boolean(),
  baseURL: z.string().nullable(),
  models: z.array(ModelInfo),
  /** Why a configured provider cannot be used, in words for the user. */
  problem: z.string().nullable(),
  /** What a person can add: a key, or the saved key once more, because it was given for another address or package. */
  lacks: z.enum(["key", "same-key"]).nullable().optional(),
  /** The package that the provider needs and that is not installed, as docket.json names it. */
  missingPackage: z.string().nullable().optional(),
})
export type ProviderInfo = z.infer<typeof ProviderInfo>
