import type { IncomingMessage } from "node:http"
import { type AuditLog, type NewAuditEntry, placeOf } from "@docket/core"
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
  Partial<Pick<NewAuditEntry, "targets" | "facts" | "via">> & {
    address: string
    /** What a person without an account is called. */
    name?: string
  }

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
    workspaces: readonly string[],
  ) => {
    const entry = { at: clock(), act, call, person, via, credential: null, address: address || null, targets, facts }
    await Promise.all((workspaces.length === 0 ? [firstWorkspace] : workspaces).map((id) => log.add(id, entry)))
  }
  const workspacesOf = async (person: string) =>
    (await memberships.ofPerson(person)).slice(0, most).map(({ workspace }) => workspace)
  return {
    async did(person, happened, workspace) {
      const name = (await people.byIDs([person])).get(person)?.name ?? happened.name ?? ""
      await write({ id: person, name }, happened, workspace === undefined ? await workspacesOf(person) : [workspace])
    },
    async failed(email, { targets, facts, ...happened }) {
      const times = sampled(`${placeOf(happened.address)} ${email ?? happened.call}`, clock())
      if (times === null) return
      const account = email === null ? null : await people.byEmail(email)
      const tried = {
        ...(email !== null && { email }),
        ...(account !== null && { person: account.id, name: account.name }),
      }
      // Who it was is not known: the account is what they tried to get into.
      const failure = { ...happened, act: "sign-in.failed", facts: { ...facts, times } } as const
      const told = account === null ? [] : await workspacesOf(account.id)
      await write(null, { ...failure, targets: { ...targets, ...tried } }, told)
    },
  }
}

/** Programs that are no browser send no word of where a request comes from. */
export function viaOf({ headers }: Pick<IncomingMessage, "headers">): "browser" | "cli" {
  return headers["sec-fetch-site"] === undefined && headers.origin === undefined ? "cli" : "browser"
}
