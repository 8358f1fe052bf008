import { shownName } from "@docket/core/schema"
import { type GenericOAuthConfig, genericOAuth } from "better-auth/plugins"
import { type Accounts, type AccountsDeps, createAccounts } from "./create-accounts.ts"
import { discoverProvider } from "./discover-provider.ts"
import type { Invitations } from "./invitations.ts"
import type { People } from "./people.ts"
import { claimsOf, exchangeCode } from "./provider-claims.ts"
import type { OidcSettings } from "./provider-settings.ts"

export interface ProviderSignInDeps extends AccountsDeps {
  invitations: Pick<Invitations, "isInvited" | "acceptVerified">
  people: Pick<People, "endUnproven">
}

export interface ProviderSignIn {
  /** Passes a request on to better-auth, with the provider configured. @throws sign_in_unavailable */
  handle(provider: string, request: Request): Promise<Response>
}

/**
 * Sign-in with an account of a provider. It finds a Docket account by an email address that the provider has verified.
 * A new account is only created for an invited address, and accepts the invitation. The first sign-in that proves the
 * address of an account that was created by an invitation link ends its other sign-in methods. The endpoints of a
 * provider are read at its first use, so that a provider that is down does not block a start.
 */
export function createProviderSignIn({ invitations, people, ...deps }: ProviderSignInDeps): ProviderSignIn {
  const ready = new Map<string, Promise<Accounts>>()
  const { settings } = deps
  const open = async (id: string): Promise<Accounts> => {
    const oidc = settings.oidc.find((each) => each.id === id)
    const { github, google } = settings
    const redirectURI = `${settings.url}/sign-in/${id}`
    return createAccounts(deps, {
      ...(oidc && { plugins: [genericOAuth({ config: [await oidcConfig(oidc, redirectURI)] })] }),
      socialProviders: {
        ...(id === "github" && github && { github: { ...withSecret(github), redirectURI } }),
        ...(id === "google" && google && { google: { ...withSecret(google), redirectURI } }),
      },
      databaseHooks: {
        user: {
          create: {
            before: async ({ email, emailVerified, name }) =>
              emailVerified && (await invitations.isInvited(email)) && { data: { name: shownName(name) ?? email } },
            after: ({ id: person, email }) => invitations.acceptVerified({ id: person, email }),
          },
        },
        account: { create: { before: async ({ userId }) => void (await people.endUnproven(userId)) } },
      },
    })
  }
  return {
    async handle(id, request) {
      const accounts = ready.get(id) ?? open(id)
      ready.set(id, accounts)
      try {
        return await (await accounts).handler(request)
      } catch (error) {
        // The next call tries again.
        ready.delete(id)
        throw error
      }
    },
  }
}

async function oidcConfig(oidc: OidcSettings, redirectURI: string): Promise<GenericOAuthConfig> {
  const provider = await discoverProvider(oidc, new AbortController().signal)
  const { endpoints } = provider
  return {
    providerId: oidc.id,
    name: oidc.name,
    ...withSecret(oidc),
    authorizationUrl: endpoints.authorization_endpoint,
    tokenUrl: endpoints.token_endpoint,
    scopes: ["openid", "email", "profile"],
    redirectURI,
    pkce: true,
    getToken: (given) => exchangeCode(provider, oidc, { ...given, redirectURI }),
    getUserInfo: async ({ idToken, accessToken }) => {
      const claims = await claimsOf(provider, oidc, { idToken, accessToken })
      const { sub, email, email_verified, name } = claims
      return { id: sub, sub, email, emailVerified: email_verified === true, name: name ?? email }
    },
  }
}

/** The settings already contain their secrets. */
function withSecret({ clientId, clientSecret = "" }: { clientId: string; clientSecret?: string | undefined }) {
  return { clientId, clientSecret }
}
