import type { IncomingMessage } from "node:http"
import type { AuditLog, NewAuditEntry } from "@docket/core"
import type { Memberships } from "./memberships.ts"
import type { People } from "./people.ts"

export interface AccountAuditDeps {
  log: AuditLog
  memberships: Pick<Memberships, "ofPerson">
  people: Pick<People, "byIDs" | "byEmail">
  /** Where it is written down what nobody of any workspace did. */
  firstWorkspace: string
  clock(): number
}

type Happened = Pick<NewAuditEntry, "act" | "call"> &
  Partial<Pick<NewAuditEntry, "targets" | "facts" | "via">> & { address: string }

export interface AccountAudit {
  /** Something that a person did with their account, which all their workspaces are told, or only one. */
  did(person: string, happened: Happened, workspace?: string): Promise<void>
  /** Somebody who may be anybody failed with the address of an account, or with something else (null). */
  failed(email: string | null, happened: Omit<Happened, "act">): Promise<void>
}

/** Workspaces of one person that are told. */
const most = 50
/** Failures of one place for one account are written down once in so long (ms), with how many there were. */
const pauseMs = 10 * 60_000
/** Places and accounts that are counted at once. */
const counted = 10_000

/** Writes down what people do with their accounts, beside what they do in a workspace. */
export function createAccountAudit({
  log,
  memberships,
  people,
  firstWorkspace,
  clock,
}: AccountAuditDeps): AccountAudit {
  const failures = new Map<string, { until: number; times: number }>()
  /** How many failures an entry of now stands for; null when none is to be written. */
  const sampled = (key: string, now: number): number | null => {
    const before = failures.get(key)
    if (before && before.until > now) {
      before.times += 1
      return null
    }
    failures.delete(key)
    const [oldest] = failures.keys()
    if (failures.size >= counted && oldest !== undefined) failures.delete(oldest)
    failures.set(key, { until: now + pauseMs, times: 0 })
    return 1 + (before?.times ?? 0)
  }
  const write = async (
    person: NewAuditEntry["person"],
    { act, call, address, targets = {}, facts = {}, via = "browser" }: Happened,
    workspace?: string,
  ) => {
    const entry = { at: clock(), act, call, person, via, credential: null, address: address || null, targets, facts }
    const own = person === null || workspace !== undefined ? [] : await memberships.ofPerson(person.id)
    const told = workspace === undefined ? own.slice(0, most).map((each) => each.workspace) : [workspace]
    await Promise.all((told.length === 0 ? [firstWorkspace] : told).map((id) => log.add(id, entry)))
  }
  return {
    async did(person, happened, workspace) {
      const name = (await people.byIDs([person])).get(person)?.name ?? ""
      await write({ id: person, name }, happened, workspace)
    },
    async failed(email, { targets, facts, ...happened }) {
      const known = email === null ? null : await people.byEmail(email)
      const times = sampled(`${happened.address} ${email ?? happened.call}`, clock())
      if (times === null) return
      // Who it was is not known: the account is what they tried to get into.
      const account = known === null ? null : { id: known.id, name: known.name }
      await write(account, {
        ...happened,
        act: "sign-in.failed",
        targets: { ...targets, ...(email !== null && { email }) },
        facts: { ...facts, times },
      })
    },
  }
}

/** Programs that are no browser send no word of where a request comes from. */
export function viaOf({ headers }: Pick<IncomingMessage, "headers">): "browser" | "cli" {
  return headers["sec-fetch-site"] === undefined && headers.origin === undefined ? "cli" : "browser"
}
