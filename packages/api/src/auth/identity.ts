import type { Capability } from "@docket/core/operations"
import type { Caller, Role } from "@docket/core/schema"

/** Who a request is, and what they are in the workspace that it is about. */
export interface Identity {
  caller: Caller
  /** As others read it. */
  name: string
  role: Role
  via: "login" | "token" | "key"
  /** Of the login, token or key that was shown: what would be revoked. */
  credentialID: string
  /** What a key is for; without it, all that its role may. */
  limitedTo?: readonly Capability[] | undefined
  /** Calls in a minute that a key may make; without it, as many as any. */
  perMinute?: number | undefined
  /** All workspaces that the person belongs to; left out, the one that it is about. */
  workspaces?: readonly string[] | undefined
  /** Who runs the service itself: the one person of a service without accounts, and those who were made it. */
  isOperator?: boolean | undefined
}

export function workspacesOf({ caller, workspaces }: Identity): readonly string[] {
  return workspaces ?? [caller.workspace]
}
