import type { Agent } from "../../../ground/schema/index.ts"

/** The job of an agent without its own prompt: doing the work, planning it, or answering questions about the code. */
type PromptRole = "work" | "plan" | "explore"

/** The only inputs of a default prompt's sections, so that providers can cache it. */
export interface PromptContext {
  role: PromptRole
  /** True for a root session: a user reads along and can answer. Otherwise another agent gets the last message only. */
  watched: boolean
  /** Ids of the tools offered to the model. A prompt mentions no others. */
  tools: ReadonlySet<string>
  family: ModelFamily
}

/** One part of a prompt; null when it does not apply. */
export type PromptSection = (context: PromptContext) => string | null

/**
 * The role of an agent without its own prompt. Agents that the user defines do the work, as far as their tools allow.
 */
export function promptRole({ name }: Pick<Agent, "name">): PromptRole {
  return name === "plan" || name === "explore" ? name : "work"
}

/** Whether the agent can change the project. */
export function mayChange({ role, tools }: PromptContext): boolean {
  return role === "work" && ["edit", "write", "apply_patch", "bash"].some((id) => tools.has(id))
}

/** A section of bullet points that leaves out those that do not apply; null when none applies. */
export function bullets(heading: string, points: readonly (string | false)[]): string | null {
  const said = points.filter((point) => point !== false)
  return said.length === 0 ? null : [`# ${heading}`, ...said.map((point) => `- ${point}`)].join("\n")
}

/** The offered tools among `ids`, as a prompt writes them: "`read`, `grep` and `list`"; empty when there is none. */
export function toolNames(tools: ReadonlySet<string>, ids: readonly string[]): string {
  const names = ids.filter((id) => tools.has(id)).map((id) => `\`${id}\``)
  const last = names.pop()
  if (last === undefined) return ""
  return names.length === 0 ? last : `${names.join(", ")} and ${last}`
}

/**
 * Models that need the same instructions: Claude; GPT with built-in reasoning (GPT-5 and later, Codex); earlier GPT
 * (GPT-4, o-series, open weights); Gemini; Trinity; all others.
 */
export type ModelFamily = "claude" | "gpt" | "gpt-early" | "gemini" | "trinity" | "other"

/** Matches whole words of a model id: `openai/gpt-6-sol`, `o3-mini`. */
const gptPattern = /(?:^|[/:.-])(?:gpt|chatgpt|codex|o[134])(?:[/:.-]|$)/
const reasoningGptPattern = /codex|gpt-(?:[5-9]|\d\d)(?!\d)(?!.*-chat)/

/** The prompt family of a model, by its id; a gateway's prefix (`anthropic/claude-…`) does not matter. */
export function modelFamily(modelID: string): ModelFamily {
  const id = modelID.toLowerCase()
  if (id.includes("claude")) return "claude"
  if (gptPattern.test(id)) return reasoningGptPattern.test(id) ? "gpt" : "gpt-early"
  if (id.includes("gemini")) return "gemini"
  if (id.includes("trinity")) return "trinity"
  return "other"
}
