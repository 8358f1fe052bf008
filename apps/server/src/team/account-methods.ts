import type { Identity } from "@docket/api"
import type { AccountWays } from "./account-ways.ts"
import type { Context } from "./create-accounts.ts"
import { providersOf, type SignInProvider } from "./provider-settings.ts"
import type { TeamSettings } from "./team-settings.ts"

export interface LinkedProvider extends SignInProvider {
  linked: boolean
  /** Whether it can be unlinked: another sign-in method is left. */
  canGo: boolean
}

/** The sign-in methods of a user. Passkeys are listed by their own route. */
export interface AccountMethods {
  password: boolean
  /** Whether the password must be followed by a code of an authenticator app. */
  twoFactor: boolean
  providers: LinkedProvider[]
}

/** Null for a caller without an account: the service's own token. */
export async function accountMethods(
  { internalAdapter }: Context,
  { caller }: Identity,
  { settings, ways }: { settings: TeamSettings; ways: Pick<AccountWays, "canGo"> },
): Promise<AccountMethods | null> {
  const user = await internalAdapter.findUserById(caller.person)
  if (user === null) return null
  const accounts = await internalAdapter.findAccounts(caller.person)
  const has = (id: string) => accounts.some(({ providerId }) => providerId === id)
  return {
    password: accounts.some(({ password }) => Boolean(password)),
    // A column of the two-factor plugin.
    twoFactor: "twoFactorEnabled" in user && user.twoFactorEnabled === true,
    providers: await Promise.all(
      providersOf(settings).map(async (provider): Promise<LinkedProvider> => {
        const linked = has(provider.id)
        return { ...provider, linked, canGo: linked && (await ways.canGo(caller.person, provider.id)) }
      }),
    ),
  }
}
