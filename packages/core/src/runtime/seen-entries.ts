import { idPrefix } from "../ground/schema/id-prefix.ts"
import type { AuditEntry } from "../ground/schema/index.ts"
import { hasAuditText } from "../ground/store/index.ts"
import type { SeenRef, TreeVisibility } from "./tree-visibility.ts"

/** The kind of object by the prefix of its id. */
const kinds = new Map<string, SeenRef["kind"]>([
  [idPrefix.session, "session"],
  [idPrefix.message, "message"],
  [idPrefix.part, "part"],
  [idPrefix.turn, "turn"],
  [idPrefix.task, "task"],
  [idPrefix.permission, "request"],
  [idPrefix.todo, "todo"],
  [idPrefix.memory, "memory"],
  [idPrefix.schedule, "schedule"],
  [idPrefix.webhookDelivery, "delivery"],
  [idPrefix.share, "share"],
  [idPrefix.reviewThread, "thread"],
  [idPrefix.reviewComment, "comment"],
  [idPrefix.reviewVerdict, "verdict"],
])

/** Targets with these names are free texts or belong to no tree: an id in such a text hides nothing. */
const free = new Set(["name", "directory", "email", "file", "from", "providerID", "workspace", "tenant"])

/** Kinds that people also name by number. */
const numbered = new Set<string>(["todo", "memory", "schedule"] satisfies SeenRef["kind"][])

/**
 * Audit log entries; those about trees that the caller does not see lose their targets. With `text`, only entries that
 * contain it.
 */
export async function seenEntries(
  visibility: TreeVisibility,
  entries: readonly AuditEntry[],
  text: string | undefined,
): Promise<AuditEntry[]> {
  // Most entries are about the same few objects.
  const refs = new Map(entries.flatMap(({ targets }) => Object.entries(targets).flatMap(refOf)))
  const hiddenRefs = await visibility.hiddenAmong(refs.values())
  const hidden = new Set([...refs].flatMap(([key, ref]) => (hiddenRefs.has(ref) ? [key] : [])))
  const shown = entries.map((entry): AuditEntry => {
    const isHidden = Object.entries(entry.targets)
      .flatMap(refOf)
      .some(([key]) => hidden.has(key))
    return isHidden ? { ...entry, call: withoutIds(entry.call), targets: {}, facts: { private: true } } : entry
  })
  return text === undefined ? shown : shown.filter((entry) => hasAuditText(entry, text))
}

/** A route as `DELETE /v1/turns/…`: its path may name what is hidden. */
function withoutIds(call: string): string {
  return call.replace(/\/(?:[a-z]{3}_\w+|\d+)(?=\/|$)/g, "/…")
}

/** The object that a target may refer to, with a key to recognise it. */
function refOf([name, value]: [string, string]): [string, SeenRef][] {
  if (free.has(name)) return []
  const kind = kinds.get(value.slice(0, value.indexOf("_")))
  if (kind !== undefined) return [[value, { kind, ref: value }]]
  // `numbered` contains only kinds.
  return numbered.has(name) && /^\d{1,15}$/.test(value)
    ? [[`${name} ${value}`, { kind: name as SeenRef["kind"], ref: Number(value) }]]
    : []
}
