import type { Identity } from "@docket/api"
import type { AccountWays } from "./account-ways.ts"
import type { Context } from "./create-accounts.ts"
import { providersOf, type SignInProvider } from "./provider-settings.ts"
import type { TeamSettings } from "./team-settings.ts"

export interface LinkedProvider extends SignInProvider {
  linked: boolean
  /** Whether the link may end: there is another way in. */
  canGo: boolean
}

/** How a person can sign in. Passkeys are listed by their own route. */
export interface AccountMethods {
  password: boolean
  /** Whether a code of an authenticator app is asked for after the password. */
  twoFactor: boolean
  providers: LinkedProvider[]
}

/** Null for who is no person with an account: whoever runs the service. */
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
    // A column of the second factor's plugin.
    twoFactor: "twoFactorEnabled" in user && user.twoFactorEnabled === true,
    providers: await Promise.all(
      providersOf(settings).map(async (provider): Promise<LinkedProvider> => {
        const linked = has(provider.id)
        return { ...provider, linked, canGo: linked && (await ways.canGo(caller.person, provider.id)) }
      }),
    ),
  }
}
