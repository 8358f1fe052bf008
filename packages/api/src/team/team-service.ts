import type { OffboardingCounts } from "@docket/core"
import type { Capability } from "@docket/core/operations"
import type { Role } from "@docket/core/schema"
import type { Identity } from "../auth/identity.ts"
import type { TeamWorkspaces } from "./team-workspaces.ts"

/** Times are epoch ms. */
export interface Member {
  person: string
  name: string
  email: string
  role: Role
  joined: number
  /** Whether this is the caller. */
  isYou: boolean
}

/** What became of the things that a removed person left. */
export interface Removed extends OffboardingCounts {
  /** How many of their keys and tokens were ended. */
  keys: number
  tokens: number
}

/** What became of the work of somebody who may no longer prompt. They still see everything as before. */
export type Demoted = Omit<Removed, "hidden" | "keys">

export interface FormerMember {
  person: string
  name: string
  /** How many of their sessions nobody sees. */
  hidden: number
}

export interface Invitation {
  id: string
  email: string
  role: Role
  /** The name of the person who invited them. */
  by: string
  created: number
  expires: number
}

/** A link that works once. Only the person who made it sees it, and only now. */
export interface MadeLink {
  url: string
  expires: number
  /** Whether it was also sent by mail. */
  mailed: boolean
}

/** A browser or a command line that is signed in. */
export interface SignIn {
  id: string
  /** The name that the device gives itself. */
  device: string
  address: string | null
  created: number
  expires: number
  isCurrent: boolean
}

export interface ProgramKey {
  id: string
  name: string
  /** The first characters of the key. */
  start: string
  role: Role
  capabilities: Capability[] | null
  by: { person: string; name: string }
  created: number
  /** Null for never. */
  expires: number | null
  /** When it was last used; null for never. */
  used: number | null
  /** Calls in a minute; null for as many as any key of the service. */
  perMinute: number | null
}

/** A token for `/v1`. It is no person: what it does is done by the token itself. */
export interface ProgramToken {
  id: string
  name: string
  /** Who made it. Null for people who run the service, and for tokens of versions that did not record it. */
  by: { person: string; name: string } | null
  created: number
  /** When it was last used; null for never. */
  used: number | null
}

export interface NewKey {
  name: string
  role: Role
  capabilities?: readonly Capability[] | undefined
  /** For how many days it works, 1 to 3,660. Without it, until it is revoked. */
  days?: number | undefined
  /** Calls in a minute, fewer than the service allows any key. Without it, as many as that. */
  perMinute?: number | undefined
}

/**
 * The people, invitations and keys of the caller's workspace, and the caller's own sign-ins. Capabilities are checked
 * before. Who may do it to whom is checked here: only an owner makes owners, and the last owner stays.
 */
export interface TeamService {
  workspaces: TeamWorkspaces

  members(by: Identity): Promise<Member[]>
  /**
   * Changes somebody's role. If they may no longer prompt, their queued work is put away and their tokens end. Null in
   * every other case, and when the result is not known. @throws person_not_found, role_forbidden, last_owner
   */
  setRole(by: Identity, change: { person: string; role: Role }): Promise<Demoted | null>
  /**
   * Ends their sign-ins, keys, streams and tokens in this workspace, and puts away what they leave. Null when the
   * result is not known.
   * @throws person_not_found, role_forbidden, last_owner, last_operator
   */
  remove(by: Identity, person: string): Promise<Removed | null>
  /** Former members who left sessions that nobody sees. */
  former(by: Identity): Promise<FormerMember[]>
  /**
   * Shows these sessions to the workspace, and answers how many. Only for owners. @throws role_forbidden,
   * already_member
   */
  openSessions(by: Identity, person: string): Promise<{ opened: number }>
  /**
   * A link to set a new password, which then ends all sign-ins of the person. Earlier links end now. @throws
   * person_not_found, role_forbidden
   */
  resetLink(by: Identity, person: string): Promise<MadeLink>

  /** Invitations that can still be accepted. */
  invitations(by: Identity): Promise<Invitation[]>
  /** Replaces an open invitation of the same address. @throws role_forbidden, already_member */
  invite(by: Identity, invited: { email: string; role: Role }): Promise<Invitation & MadeLink>
  /** @throws invitation_not_found */
  cancelInvitation(by: Identity, id: string): Promise<void>

  /** The caller's own sign-ins. */
  signIns(by: Identity): Promise<SignIn[]>
  /** @throws sign_in_not_found */
  endSignIn(by: Identity, id: string): Promise<void>
  /** Ends all but the caller's current one, and answers how many. */
  endOtherSignIns(by: Identity): Promise<number>

  keys(by: Identity): Promise<ProgramKey[]>
  /**
   * Only this answer shows the key. @throws role_forbidden for a role above the caller's, invalid_input for more calls
   * than allowed
   */
  createKey(by: Identity, key: NewKey): Promise<ProgramKey & { key: string }>
  /** @throws key_not_found */
  revokeKey(by: Identity, id: string): Promise<void>

  /** Tokens for `/v1` of the workspace's tenant that still work. `docket token` makes them. */
  tokens(by: Identity): Promise<ProgramToken[]>
  /** @throws token_not_found */
  revokeToken(by: Identity, id: string): Promise<void>
}
