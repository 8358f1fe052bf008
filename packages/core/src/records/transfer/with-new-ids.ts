import { randomBytes } from "node:crypto"
import { idAt } from "../../ground/id/create-id.ts"
import { idTime } from "../../ground/id/id-time.ts"
import { type IdKind, idPrefix, type SessionFile } from "../../ground/schema/index.ts"
import { fileIDs } from "./check-tree.ts"

const kindOf = new Map<string, IdKind>(
  // The entries of a record have its keys.
  (Object.entries(idPrefix) as [IdKind, string][]).map(([kind, prefix]) => [prefix, kind]),
)
const anyID = /[a-z]{3}_[0-9a-f]{12}[0-9A-Za-z]{14}/g

/**
 * The same tree under ids of its own, wherever one is named, in words too. They keep their order and the time at which
 * each was made, up to `now` (epoch ms).
 */
export function withNewIDs(file: SessionFile, now: number): SessionFile {
  const known = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const id of oldestFirst(fileIDs(file))) {
    const kind = kindOf.get(id.slice(0, 3))
    if (kind === undefined) continue
    const time = Math.min(idTime(id) ?? now, now)
    const count = counts.get(`${kind}${time}`) ?? 0
    counts.set(`${kind}${time}`, count + 1)
    known.set(id, idAt(kind, { time, count, random: randomBytes }))
  }
  const text = JSON.stringify(file).replace(anyID, (id) => known.get(id) ?? id)
  // Only ids are others, each for one of its kind.
  return JSON.parse(text) as SessionFile
}

/** Session ids descend: of two, the larger is the older. */
function oldestFirst(ids: readonly string[]): string[] {
  const isSession = (id: string) => id.startsWith(`${idPrefix.session}_`)
  const [sessions, others] = [ids.filter(isSession), ids.filter((id) => !isSession(id))]
  return [...sessions.sort().reverse(), ...others.sort()]
}
