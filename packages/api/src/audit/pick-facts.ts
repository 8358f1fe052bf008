import type { NewAuditEntry } from "@docket/core"
import type { RecordedAct } from "@docket/core/operations"
import { type AuditAct, idPrefix } from "@docket/core/schema"

type Picked = Pick<NewAuditEntry, "targets" | "facts">

const kindOf = new Map<string, string>(Object.entries(idPrefix).map(([kind, prefix]) => [prefix, kind]))
const idForm = /^([a-z]{3})_[0-9a-f]{12}[0-9A-Za-z]{14}$/
/** Fields of an answer that name the session or project to which it belongs. */
const places = ["sessionID", "rootID", "projectID"]

/**
 * What an audit entry says of a call: the ids in its input and answer, and the fields that its rule names. `input` is
 * the parsed input, without anything else that was sent. If input and answer have the same field, the answer counts.
 */
export function pickFacts(rule: RecordedAct, input: unknown, answer: unknown): Picked {
  const targets: Picked["targets"] = {}
  const facts: Picked["facts"] = {}
  const [given, answered] = [recordOf(input), recordOf(answer)]
  for (const name of places) if (isID(answered[name])) targets[nameOf(name)] ??= String(answered[name])
  for (const [name, value] of Object.entries(given))
    if (/(?:^id|ID)$/.test(name) && isID(value)) targets[nameOf(name)] ??= value
  for (const { id } of [answered, ...Object.values(answered).map(recordOf)])
    if (isID(id)) targets[kindOf.get(id.slice(0, 3)) ?? "id"] ??= id
  for (const name of rule.targets ?? []) {
    const value = answered[name] ?? given[name]
    if (typeof value === "string" || typeof value === "number") targets[name] ??= String(value)
  }
  const sources = [...(rule.facts ?? []).map((name) => [name, given[name]] as const)]
  sources.push(...(rule.results ?? []).map((name) => [name, answered[name]] as const))
  for (const [name, found] of sources) {
    const value = factOf(found)
    if (value !== undefined) facts[name] = value
  }
  if (Array.isArray(answer)) facts.count = answer.length
  return { targets, facts }
}

/** The act of a call. It may depend on what the input chose. */
export function actOf({ act, choice }: RecordedAct, input: unknown): AuditAct {
  const chosen = choice === undefined ? undefined : recordOf(input)[choice.name]
  return Object.entries(choice?.acts ?? {}).find(([value]) => value === chosen)?.[1] ?? act
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function isID(value: unknown): value is string {
  return typeof value === "string" && kindOf.has(idForm.exec(value)?.[1] ?? "")
}

/** The name of a target: `session` for the field `sessionID`. */
function nameOf(name: string): string {
  return name.replace(/ID$/, "")
}

function factOf(value: unknown): string | number | boolean | undefined {
  if (value === null) return "unset"
  if (Array.isArray(value)) return value.map(String).join(", ")
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined
}
