import { type Capability, type Identity, may } from "@docket/api"
import { DocketError, type InOrder } from "@docket/core"
import type { Role } from "@docket/core/schema"
import { lesser } from "./identify-key.ts"
import type { Membership, Memberships } from "./memberships.ts"

/**
 * Runs `work` in the queue of a workspace's membership changes, if the caller still has the capability then: it may
 * have changed while this call was queued. @throws role_forbidden
 */
export type WithRights = <T>(by: Identity, capability: Capability, work: (now: Identity) => Promise<T>) => Promise<T>

export function createWithRights({
  memberships,
  inOrder,
}: {
  memberships: Pick<Memberships, "ofWorkspace">
  inOrder: InOrder
}): WithRights {
  return (by, capability, work) =>
    inOrder(by.caller.workspace, async () => {
      const now = rightsNow(by, await memberships.ofWorkspace(by.caller.workspace))
      requireStill(now, capability)
      return await work(now)
    })
}

/** The caller's current rights, by `all` members of the workspace. The service's own token keeps its own. */
export function rightsNow(by: Identity, all: readonly Membership[]): Identity {
  if (by.via === "token") return by
  const own = all.find(({ person }) => person === by.caller.person)
  return { ...by, role: own === undefined ? "viewer" : lesser(by.role, own.role) }
}

/** @throws role_forbidden */
export function requireStill(now: Pick<Identity, "role" | "limitedTo">, capability: Capability): void {
  if (!may(now, capability))
    throw new DocketError("role_forbidden", "Your own role was changed meanwhile. Load the page again.")
}

/** Only owners may create, change and remove owners. @throws role_forbidden */
export function requireRank({ role }: Pick<Identity, "role">, needed: Role): void {
  if (needed === "owner" && role !== "owner")
    throw new DocketError("role_forbidden", "Only an owner decides about owners. Ask one.")
}

/**
 * Queue key: changes that give a user more rights never overlap with the use of a reset link. No id contains a blank.
 */
export function rightsOf(person: string): string {
  return `rights of ${person}`
}
