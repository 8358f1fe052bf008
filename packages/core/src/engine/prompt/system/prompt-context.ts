import type { Agent } from "../../../ground/schema/index.ts"

/** What an agent without a prompt of its own does: the work itself, a plan for it, or an answer about the code. */
type PromptRole = "work" | "plan" | "explore"

/** What the sections of a default prompt are built from. Nothing else, so that providers can cache it. */
export interface PromptContext {
  role: PromptRole
  /** A person reads along and can answer: a root session. Else another agent gets the last message, and nothing more. */
  watched: boolean
  /** Ids of the tools that the model is offered. A prompt names no other. */
  tools: ReadonlySet<string>
  family: ModelFamily
}

/** One part of a prompt; null where it has nothing to say. */
export type PromptSection = (context: PromptContext) => string | null

/** The role of an agent that brings no prompt. Agents of the user's own do the work, as far as their tools allow. */
export function promptRole({ name }: Pick<Agent, "name">): PromptRole {
  return name === "plan" || name === "explore" ? name : "work"
}

/** Whether the agent can change the project at all. */
export function mayChange({ role, tools }: PromptContext): boolean {
  return role === "work" && ["edit", "write", "bash"].some((id) => tools.has(id))
}

/** A section of bullet points without those that do not apply; null when none does. */
export function bullets(heading: string, points: readonly (string | false)[]): string | null {
  const said = points.filter((point) => point !== false)
  return said.length === 0 ? null : [`# ${heading}`, ...said.map((point) => `- ${point}`)].join("\n")
}

/** Those of `ids` that are offered, as a prompt writes them: "`read`, `grep` and `list`"; empty when there is none. */
export function toolNames(tools: ReadonlySet<string>, ids: readonly string[]): string {
  const names = ids.filter((id) => tools.has(id)).map((id) => `\`${id}\``)
  const last = names.pop()
  if (last === undefined) return ""
  return names.length === 0 ? last : `${names.join(", ")} and ${last}`
}

/**
 * Models that are told how to work in the same way: Claude; GPT that reasons by itself (GPT-5 and later, Codex); GPT
 * before it (GPT-4, o-series, open weights); Gemini; all others.
 */
export type ModelFamily = "claude" | "gpt" | "gpt-early" | "gemini" | "other"

/** Where a word of an id begins and ends: `openai/gpt-6-sol`, `o3-mini`. */
const gptPattern = /(?:^|[/:.-])(?:gpt|chatgpt|codex|o[134])(?:[/:.-]|$)/
const reasoningGptPattern = /codex|gpt-(?:[5-9]|\d\d)(?!\d)(?!.*-chat)/

/** Which prompt suits a model, by its id; a gateway's prefix (`anthropic/claude-…`) does not matter. */
export function modelFamily(modelID: string): ModelFamily {
  const id = modelID.toLowerCase()
  if (id.includes("claude")) return "claude"
  if (gptPattern.test(id)) return reasoningGptPattern.test(id) ? "gpt" : "gpt-early"
  if (id.includes("gemini")) return "gemini"
  return "other"
}
