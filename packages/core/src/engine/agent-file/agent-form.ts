import { isDeepStrictEqual } from "node:util"
import type { AgentForm, AgentRights, PermissionConfig } from "../../ground/schema/index.ts"
import { builtinAgents } from "../../setup/agent/builtin-agents.ts"
import { editFrontmatter } from "../../setup/config/frontmatter.ts"
import type { AgentConfig } from "../../setup/config/schema.ts"

/** The permission section for a choice of rights. */
const sections: Readonly<Record<Exclude<AgentRights, "rules" | "written">, PermissionConfig>> = {
  asks: { edit: "ask", bash: "ask" },
  reads: builtinAgents.find(({ name }) => name === "explore")?.permission ?? "deny",
}

/** An agent in the form's fields. */
export function formOf(agent: AgentConfig): AgentForm {
  return {
    description: agent.description ?? "",
    mode: agent.mode ?? "all",
    model: agent.model ?? null,
    variant: agent.variant ?? null,
    temperature: agent.temperature ?? null,
    topP: agent.top_p ?? null,
    steps: agent.steps ?? null,
    color: agent.color ?? null,
    hidden: agent.hidden ?? false,
    disable: agent.disable ?? false,
    rights: rightsOf(agent),
    prompt: agent.prompt ?? "",
  }
}

function rightsOf({ permission, tools }: AgentConfig): AgentRights {
  if (permission === undefined && tools === undefined) return "rules"
  if (tools !== undefined) return "written"
  if (isDeepStrictEqual(permission, sections.asks)) return "asks"
  return isDeepStrictEqual(permission, sections.reads) ? "reads" : "written"
}

/**
 * Writes the changed fields of the form into a text; everything else stays, comments too.
 * @param before the form as it was read from the text
 * @returns null when the text is invalid
 */
export function writeForm(text: string, before: AgentForm, form: AgentForm): string | null {
  const fields: Record<string, unknown> = {
    description: form.description.trim() || undefined,
    mode: form.mode,
    model: form.model ?? undefined,
    variant: form.variant ?? undefined,
    temperature: form.temperature ?? undefined,
    top_p: form.topP ?? undefined,
    steps: form.steps ?? undefined,
    color: form.color ?? undefined,
    hidden: form.hidden || undefined,
    disable: form.disable || undefined,
  }
  const given: Record<string, unknown> = { ...before, top_p: before.topP }
  const changed = Object.entries(fields).filter(([key, value]) => !isSame(given[key], value))
  const set = { ...Object.fromEntries(changed), ...(form.rights !== before.rights && writeRights(form.rights)) }
  return editFrontmatter(text, { set, body: form.prompt.trim() === before.prompt ? null : form.prompt })
}

/** Undefined, null, false and an empty text are the same: not in the file. The number 0 is a value. */
function isSame(before: unknown, value: unknown): boolean {
  return (before || undefined) === (value || undefined) && (before === 0) === (value === 0)
}

function writeRights(rights: AgentRights): Record<string, unknown> {
  if (rights === "written") return {}
  return { permission: rights === "rules" ? undefined : sections[rights], tools: undefined }
}
