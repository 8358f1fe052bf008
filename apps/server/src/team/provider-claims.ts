import { DocketError } from "@docket/core"
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose"
import { z } from "zod"
import type { DiscoveredProvider } from "./discover-provider.ts"
import type { OidcSettings } from "./provider-settings.ts"

/** Claims about the user, from an ID token or the user info endpoint (OpenID Connect Core 1.0, 5.1). */
const Claims = z.object({
  sub: z.string().min(1),
  email: z.string().optional(),
  email_verified: z.union([z.boolean(), z.stringbool()]).optional(),
  name: z.string().optional(),
})

/** The answer of a provider to a code (RFC 6749, 5.1). Docket makes no later calls, so no refresh token is stored. */
const Tokens = z.object({ access_token: z.string().optional(), id_token: z.string().optional() })

export interface GivenCode {
  code: string
  codeVerifier?: string | undefined
  redirectURI: string
}

interface GivenTokens {
  idToken?: string | undefined
  accessToken?: string | undefined
}

type Client = Pick<OidcSettings, "clientId" | "clientSecret" | "issuer" | "name">

/** Exchanges a code for tokens. */
export async function exchangeCode(
  { endpoints, call }: DiscoveredProvider,
  { clientId, clientSecret }: Client,
  { code, codeVerifier, redirectURI }: GivenCode,
): Promise<GivenTokens> {
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectURI,
    client_id: clientId,
    ...(clientSecret && { client_secret: clientSecret }),
    ...(codeVerifier && { code_verifier: codeVerifier }),
  })
  const answer = await call({ url: endpoints.token_endpoint, form }, new AbortController().signal)
  const { access_token, id_token } = Tokens.parse(JSON.parse(answer))
  return { accessToken: access_token, idToken: id_token }
}

/** Verifies the ID token with the provider's current keys, which may change at any time. */
export async function claimsOf(
  { endpoints, call }: DiscoveredProvider,
  { issuer, clientId, name }: Client,
  { idToken, accessToken }: GivenTokens,
): Promise<z.output<typeof Claims>> {
  if (!idToken) throw new DocketError("sign_in_unavailable", `${name} sent no ID token.`)
  const { signal } = new AbortController()
  // jose checks each key itself.
  const keys = createLocalJWKSet(JSON.parse(await call({ url: endpoints.jwks_uri }, signal)) as JSONWebKeySet)
  const { payload } = await jwtVerify(idToken, keys, { issuer, audience: clientId })
  const claims = Claims.parse(payload)
  if (claims.email !== undefined || !endpoints.userinfo_endpoint) return claims
  const headers = { authorization: `Bearer ${accessToken}` }
  const more = Claims.parse(JSON.parse(await call({ url: endpoints.userinfo_endpoint, headers }, signal)))
  if (more.sub !== claims.sub) throw new DocketError("sign_in_unavailable", `${name} spoke of somebody else.`)
  return more
}
