import type { Capability } from "@docket/core/operations"
import type { Caller, Role } from "@docket/core/schema"

/** Who sends a request, and their rights in the workspace of the request. */
export interface Identity {
  caller: Caller
  /** The name that others see. */
  name: string
  role: Role
  via: "login" | "token" | "key"
  /** The id of the login, token or key that was sent: revoking it ends this access. */
  credentialID: string
  /** The capabilities of a key. Without this, all that its role allows. */
  limitedTo?: readonly Capability[] | undefined
  /** The only project whose sessions they may reach, by the routes for OpenCode's clients. Without this, all of the workspace. */
  projectID?: string | undefined
  /** How many calls a key may make in a minute. Without this, as many as any key. */
  perMinute?: number | undefined
  /** All workspaces of the person. Without this, only the one of the request. */
  workspaces?: readonly string[] | undefined
  /**
   * Whether they run the service itself: the only person of a service without accounts, or somebody who was made an
   * operator.
   */
  isOperator?: boolean | undefined
}

export function workspacesOf({ caller, workspaces }: Identity): readonly string[] {
  return workspaces ?? [caller.workspace]
}
