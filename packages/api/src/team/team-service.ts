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
  /** Whether it is who asks. */
  isYou: boolean
}

/** What somebody who is gone left, and what became of it. */
export interface Removed extends OffboardingCounts {
  /** Keys and tokens of theirs that ended. */
  keys: number
  tokens: number
}

/** What became of what somebody had begun who starts no work any more; they see all of it as before. */
export type Lessened = Omit<Removed, "hidden" | "keys">

export interface FormerMember {
  person: string
  name: string
  /** Sessions that nobody sees. */
  hidden: number
}

export interface Invitation {
  id: string
  email: string
  role: Role
  /** Name of who invited. */
  by: string
  created: number
  expires: number
}

/** A link that works once. It is shown to who made it, and to nobody again. */
export interface MadeLink {
  url: string
  expires: number
  /** Whether it was sent by mail too. */
  mailed: boolean
}

/** A browser or a command line that is signed in. */
export interface SignIn {
  id: string
  /** What it calls itself. */
  device: string
  address: string | null
  created: number
  expires: number
  isCurrent: boolean
}

export interface ProgramKey {
  id: string
  name: string
  /** How it begins. */
  start: string
  role: Role
  capabilities: Capability[] | null
  by: { person: string; name: string }
  created: number
  /** Null: never. */
  expires: number | null
  /** When it was last used; null: never. */
  used: number | null
  /** How often it may call; null: as often as any key of the service. */
  perMinute: number | null
}

/** A token for `/v1`. It stands for nobody: what comes by it is done by the token. */
export interface ProgramToken {
  id: string
  name: string
  /** Who made it; null for who runs the service, and for one from before that was kept. */
  by: { person: string; name: string } | null
  created: number
  /** When it was last used; null: never. */
  used: number | null
}

export interface NewKey {
  name: string
  role: Role
  capabilities?: readonly Capability[] | undefined
  /** Days that it works, 1 to 3,660; without it, until it is revoked. */
  days?: number | undefined
  /** Calls in a minute, fewer than the service lets keys make; without it, those. */
  perMinute?: number | undefined
}

/**
 * The people, invitations and keys of the caller's workspace, and the caller's own sign-ins. What a role may do of it is
 * decided before; who may do it to whom (nobody makes an owner but an owner, the last owner stays) is decided here.
 */
export interface TeamService {
  workspaces: TeamWorkspaces

  members(by: Identity): Promise<Member[]>
  /**
   * Who prompts no agents any more by it has what waits put away, and the tokens that they made end: null for all others,
   * and when it is not known. @throws person_not_found, role_forbidden, last_owner
   */
  setRole(by: Identity, change: { person: string; role: Role }): Promise<Lessened | null>
  /**
   * Ends their sign-ins, keys, streams and the tokens that they made in this workspace, and puts away what they leave; null when that is not known.
   * @throws person_not_found, role_forbidden, last_owner, last_operator
   */
  remove(by: Identity, person: string): Promise<Removed | null>
  /** Those who are members no more and left sessions that nobody sees. */
  former(by: Identity): Promise<FormerMember[]>
  /** Shows these to the workspace; an owner may. Answers how many. @throws role_forbidden, already_member */
  openSessions(by: Identity, person: string): Promise<{ opened: number }>
  /** A link for a new password, which ends all sign-ins of the person; those made before end with it. @throws person_not_found, role_forbidden */
  resetLink(by: Identity, person: string): Promise<MadeLink>

  /** Those that can still be accepted. */
  invitations(by: Identity): Promise<Invitation[]>
  /** One that waits for the same address is replaced. @throws role_forbidden, already_member */
  invite(by: Identity, invited: { email: string; role: Role }): Promise<Invitation & MadeLink>
  /** @throws invitation_not_found */
  cancelInvitation(by: Identity, id: string): Promise<void>

  /** The caller's own. */
  signIns(by: Identity): Promise<SignIn[]>
  /** @throws sign_in_not_found */
  endSignIn(by: Identity, id: string): Promise<void>
  /** All but the one that asks. Answers how many. */
  endOtherSignIns(by: Identity): Promise<number>

  keys(by: Identity): Promise<ProgramKey[]>
  /** The only answer that shows the key. @throws role_forbidden for a role above one's own, invalid_input for more calls than may be */
  createKey(by: Identity, key: NewKey): Promise<ProgramKey & { key: string }>
  /** @throws key_not_found */
  revokeKey(by: Identity, id: string): Promise<void>

  /** Tokens for `/v1` of the workspace's tenant that still work. `docket token` makes them. */
  tokens(by: Identity): Promise<ProgramToken[]>
  /** @throws token_not_found */
  revokeToken(by: Identity, id: string): Promise<void>
}
