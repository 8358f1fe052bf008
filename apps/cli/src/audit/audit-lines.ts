import { formerPeople } from "@docket/core/former-people"
import { type AuditAct, type AuditEntry, auditActs } from "@docket/core/schema"
import { tableLines } from "../table.ts"
import { UsageError } from "../usage-error.ts"

export interface AuditOptions {
  since?: string
  until?: string
  person?: string | undefined
  act?: AuditAct | undefined
  text?: string | undefined
  limit?: number
  json?: boolean
}

interface AuditListInput extends Pick<AuditOptions, "person" | "act" | "text"> {
  since?: number | undefined
  until?: number | undefined
  cursor?: string | undefined
  limit: number
}

/** The part of the client that is used. */
interface Client {
  audit: { list: { query(input: AuditListInput): Promise<{ items: AuditEntry[]; cursor: string | null }> } }
  me: { get: { query(): Promise<{ hasTeam: boolean }> } }
  team: {
    members: { query(): Promise<readonly { person: string; name: string; email: string }[]> }
  }
}

/** Number of entries in the table without `--limit`. */
const usualLimit = 100
/** Number of entries per request. */
const pageSize = 500

/** The audit log as a table, or as one JSON object per line; newest first. @throws UsageError */
export async function* auditLines(client: Client, options: AuditOptions, now: number): AsyncIterable<string> {
  const { act, text, json = false } = options
  const remaining = { count: options.limit ?? (json ? Number.POSITIVE_INFINITY : usualLimit) }
  const since = options.since === undefined ? undefined : readTime("--since", options.since, now)
  const until = options.until === undefined ? undefined : readUntil(options.until, now)
  const person = options.person === undefined ? undefined : await personOf(client, options.person)
  let cursor: string | undefined
  do {
    const limit = Math.min(pageSize, remaining.count)
    const { items, cursor: next } = await client.audit.list.query({ act, text, since, until, person, cursor, limit })
    yield* json ? items.map((entry) => JSON.stringify(entry)) : tableLines(items.map(columns))
    remaining.count -= items.length
    cursor = next ?? undefined
  } while (cursor !== undefined && remaining.count > 0)
}

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Reads a time option as epoch ms: a time ago (90m, 12h, 7d) or a date. @throws UsageError */
export function readTime(option: "--since" | "--until", given: string, now: number): number {
  const [, count, unit = ""] = /^(\d{1,5})([mhd])$/.exec(given) ?? []
  if (count !== undefined) return Math.max(0, now - Number(count) * (unitMs[unit] ?? 0))
  const at = /^\d{4}-\d\d-\d\d/.test(given) ? Date.parse(given) : Number.NaN
  if (at >= 0) return at
  throw new UsageError(`${option} is like 90m, 12h, 7d or 2026-01-31; not ${JSON.stringify(given)}`)
}

/** Reads `--until`, the end of a period, like `readTime`; a date includes the whole day. @throws UsageError */
export function readUntil(given: string, now: number): number {
  const at = readTime("--until", given, now)
  return /^\d{4}-\d\d-\d\d$/.test(given) ? at + (unitMs.d ?? 0) : at
}

/**
 * The id of a user by email, or by name if only one user has that name; other text is taken as an id, and so is any text
 * where there are no accounts.
 * @throws UsageError
 */
async function personOf({ me, team, audit }: Client, given: string): Promise<string> {
  const { hasTeam } = await me.get.query()
  if (!hasTeam) return given
  const members = await team.members.query()
  const lowercase = given.toLowerCase()
  if (given.includes("@")) {
    const found = members.find(({ email }) => email === lowercase)
    if (found) return found.person
    throw new UsageError(`nobody in this workspace has the address ${given}; of who is gone, give the name or the id`)
  }
  const departures = (act: AuditAct) => audit.list.query({ act, limit: pageSize })
  const [removed, left] = await Promise.all([departures("person.removed"), departures("person.left")])
  const gone = formerPeople([...removed.items, ...left.items], members)
  const named = [...members, ...gone].filter(({ name }) => name.toLowerCase() === lowercase)
  if (named.length > 1)
    throw new UsageError(
      `more than one has the name ${given}; give an id: ${named.map((each) => each.person).join(", ")}`,
    )
  return named[0]?.person ?? given
}

function columns({ at, person, act, via, credential, address, targets, facts, call }: AuditEntry): string[] {
  const how = credential === null ? via : `${via} ${credential}`
  const about = [...Object.entries(targets), ...Object.entries(facts)].map(([name, value]) => `${name} ${value}`)
  const time = new Date(at).toISOString().slice(0, 19).replace("T", " ")
  const who = person === null ? "somebody" : person.name
  const what = act === "call.refused" ? `${auditActs[act]}: ${call}` : auditActs[act]
  return [time, who, what, about.join(", "), [how, address].filter(Boolean).join(" ")]
}
