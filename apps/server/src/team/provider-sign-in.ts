import { DocketError } from "@docket/core"
import { type GenericOAuthConfig, genericOAuth } from "better-auth/plugins"
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose"
import { z } from "zod"
import { type Accounts, type AccountsDeps, createAccounts } from "./create-accounts.ts"
import { type DiscoveredProvider, discoverProvider } from "./discover-provider.ts"
import type { Invitations } from "./invitations.ts"
import type { OidcSettings } from "./provider-settings.ts"

export interface ProviderSignInDeps extends AccountsDeps {
  invitations: Pick<Invitations, "isInvited" | "acceptVerified">
}

export interface ProviderSignIn {
  /** Hands a request on to better-auth, which knows the provider then. @throws sign_in_unavailable */
  handle(provider: string, request: Request): Promise<Response>
}

/** Of who signs in, as an ID token or the user info endpoint says it (OpenID Connect Core 1.0, 5.1). */
const Claims = z.object({
  sub: z.string().min(1),
  email: z.string().optional(),
  email_verified: z.union([z.boolean(), z.stringbool()]).optional(),
  name: z.string().optional(),
})

/**
 * Signing in with an account elsewhere. An account of Docket is found by an e-mail address that the provider has verified;
 * a new one is made for an address that is invited, which accepts the invitation. Nobody else gets in.
 * A provider is asked for its endpoints when somebody wants to use it, so that one that is down holds up no start.
 */
export function createProviderSignIn({ invitations, ...deps }: ProviderSignInDeps): ProviderSignIn {
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
            before: async ({ email, emailVerified }) => emailVerified && (await invitations.isInvited(email)),
            after: ({ id: person, email }) => invitations.acceptVerified({ id: person, email }),
          },
        },
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
        // Asked anew by the next.
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
    getUserInfo: async ({ idToken, accessToken }) => {
      const claims = await claimsOf(provider, oidc, { idToken, accessToken })
      const { sub, email, email_verified, name } = claims
      return { id: sub, sub, email, emailVerified: email_verified === true, name: name ?? email }
    },
  }
}

/** The ID token is verified with the keys that the provider has now, which it may change at any time. */
async function claimsOf(
  { endpoints, fetch }: DiscoveredProvider,
  { issuer, clientId, name }: OidcSettings,
  { idToken, accessToken }: { idToken?: string | undefined; accessToken?: string | undefined },
): Promise<z.output<typeof Claims>> {
  if (!idToken) throw new DocketError("sign_in_unavailable", `${name} sent no ID token.`)
  const { bytes } = await fetch(endpoints.jwks_uri, new AbortController().signal)
  // jose looks at each key itself.
  const keys = createLocalJWKSet(JSON.parse(bytes.toString("utf8")) as JSONWebKeySet)
  const { payload } = await jwtVerify(idToken, keys, { issuer, audience: clientId })
  const claims = Claims.parse(payload)
  if (claims.email !== undefined || !endpoints.userinfo_endpoint) return claims
  const headers = { authorization: `Bearer ${accessToken}` }
  const response = await globalThis.fetch(endpoints.userinfo_endpoint, {
    headers,
    redirect: "error",
    signal: AbortSignal.timeout(10_000),
  })
  const more = Claims.parse(await response.json())
  if (more.sub !== claims.sub) throw new DocketError("sign_in_unavailable", `${name} spoke of somebody else.`)
  return more
}

/** Settings have been read with their secrets. */
function withSecret({ clientId, clientSecret = "" }: { clientId: string; clientSecret?: string | undefined }) {
  return { clientId, clientSecret }
}
