import { idPrefix } from "../schema/id-prefix.ts"
import type { AuditEntry } from "../schema/index.ts"
import { hasAuditText } from "../store/index.ts"
import type { SeenRef, Sight } from "./sight.ts"

/** What is found by an id that begins like this. */
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

/** What people also name by its number. */
const numbered = new Set<string>(["todo", "memory", "schedule"] satisfies SeenRef["kind"][])

/** Entries of the audit log without what would name a tree that the caller does not see. */
export async function seenEntries(
  sight: Sight,
  entries: readonly AuditEntry[],
  text: string | undefined,
): Promise<AuditEntry[]> {
  // Most entries are about the same few things.
  const refs = new Map(entries.flatMap(({ targets }) => Object.entries(targets).flatMap(refOf)))
  const those = await sight.hiddenAmong(refs.values())
  const hidden = new Set([...refs].flatMap(([key, ref]) => (those.has(ref) ? [key] : [])))
  return entries.flatMap((entry) => {
    const isHidden = Object.entries(entry.targets)
      .flatMap(refOf)
      .some(([key]) => hidden.has(key))
    if (!isHidden) return [entry]
    const bare: AuditEntry = { ...entry, targets: {}, facts: { private: true } }
    return text === undefined || hasAuditText(bare, text) ? [bare] : []
  })
}

/** What a target may be of a tree by, under a key of its own. */
function refOf([name, value]: [string, string]): [string, SeenRef][] {
  const kind = kinds.get(value.slice(0, value.indexOf("_")))
  if (kind !== undefined) return [[value, { kind, ref: value }]]
  // What a set of names holds is a kind.
  return numbered.has(name) && /^\d{1,15}$/.test(value)
    ? [[`${name} ${value}`, { kind: name as SeenRef["kind"], ref: Number(value) }]]
    : []
}
