import type { IncomingMessage } from "node:http"
import { type AuditLog, type NewAuditEntry, placeOf } from "@docket/core"
import type { Memberships } from "./memberships.ts"
import type { People } from "./people.ts"

export interface AccountAuditDeps {
  log: AuditLog
  memberships: Pick<Memberships, "ofPerson">
  people: Pick<People, "byIDs" | "byEmail">
  /** The workspace that records acts without a workspace. */
  firstWorkspace: string
  clock(): number
}

type Happened = Pick<NewAuditEntry, "act" | "call"> &
  Partial<Pick<NewAuditEntry, "targets" | "facts" | "via">> & {
    address: string
    /** Name of a user without an account. */
    name?: string
  }

export interface AccountAudit {
  /** Records what a user did with their account, in all their workspaces or in one. */
  did(person: string, happened: Happened, workspace?: string): Promise<void>
  /** Records a failed attempt by an unknown person, with the email that was tried, if any. */
  failed(email: string | null, happened: Omit<Happened, "act">): Promise<void>
}

/** Maximum number of a user's workspaces that get the entry. */
const mostWorkspaces = 50
/** Failures from one place for one account are recorded once per this time (ms), with their number. */
const pauseMs = 10 * 60_000
/** Maximum number of places and accounts that are counted. */
const mostCounted = 10_000

/** Records acts with accounts in the audit log, beside the acts in a workspace. */
export function createAccountAudit({
  log,
  memberships,
  people,
  firstWorkspace,
  clock,
}: AccountAuditDeps): AccountAudit {
  const failures = new Map<string, { until: number; times: number }>()
  /** The number of failures for a new entry; null when none should be written. */
  const timesToRecord = (key: string, now: number): number | null => {
    const before = failures.get(key)
    if (before && before.until > now) {
      before.times += 1
      return null
    }
    failures.delete(key)
    const [oldest] = failures.keys()
    if (failures.size >= mostCounted && oldest !== undefined) failures.delete(oldest)
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
    (await memberships.ofPerson(person)).slice(0, mostWorkspaces).map(({ workspace }) => workspace)
  return {
    async did(person, happened, workspace) {
      const name = (await people.byIDs([person])).get(person)?.name ?? happened.name ?? ""
      await write({ id: person, name }, happened, workspace === undefined ? await workspacesOf(person) : [workspace])
    },
    async failed(email, { targets, facts, ...happened }) {
      const times = timesToRecord(`${placeOf(happened.address)} ${email ?? happened.call}`, clock())
      if (times === null) return
      const account = email === null ? null : await people.byEmail(email)
      const tried = {
        ...(email !== null && { email }),
        ...(account !== null && { person: account.id, name: account.name }),
      }
      // The person is unknown: the entry only names the account that was tried.
      const failure = { ...happened, act: "sign-in.failed", facts: { ...facts, times } } as const
      const workspaces = account === null ? [] : await workspacesOf(account.id)
      await write(null, { ...failure, targets: { ...targets, ...tried } }, workspaces)
    },
  }
}

/** Whether a browser or a program sent a request: only browsers send headers about its origin. */
export function viaOf({ headers }: Pick<IncomingMessage, "headers">): "browser" | "cli" {
  return headers["sec-fetch-site"] === undefined && headers.origin === undefined ? "cli" : "browser"
}
