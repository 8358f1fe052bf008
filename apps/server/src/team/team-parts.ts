import type { Auth } from "@docket/api"
import type { AccountWays } from "./account-ways.ts"
import type { Accounts } from "./create-accounts.ts"
import type { FirstOwner } from "./first-owner.ts"
import type { IdentityCache } from "./identity-cache.ts"
import type { Invitations } from "./invitations.ts"
import type { People } from "./people.ts"
import type { ProviderSignIn } from "./provider-sign-in.ts"
import type { ResetLinks } from "./reset-links.ts"
import type { TeamSettings } from "./team-settings.ts"
import type { UsedCodes } from "./used-codes.ts"

/** The parts that the account routes use. */
export interface TeamParts {
  auth: Auth
  accounts: Accounts
  firstOwner: FirstOwner
  invitations: Invitations
  people: People
  resetLinks: ResetLinks
  cache: IdentityCache
  settings: TeamSettings
  usedCodes: UsedCodes
  providers: ProviderSignIn
  ways: AccountWays
  /** Moves a sign-in, by its id, to another workspace. */
  goTo(signIn: string, workspace: string): Promise<unknown>
}
