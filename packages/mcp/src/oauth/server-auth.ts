import type { McpOAuth } from "@docket/core/schema"
import {
  type AuthProvider,
  auth,
  computeScopeUnion,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  type FetchLike,
  InsufficientScopeError,
  type OAuthClientProvider,
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
} from "@modelcontextprotocol/client"
import { assertIssuer, issuerOf } from "./assert-issuer.ts"
import { NeedsSignInError, needOfSignIn } from "./needs-sign-in.ts"
import { programGrant } from "./program-grant.ts"
import type { SignInStore } from "./sign-in-store.ts"

export interface ServerAuthDeps {
  store: SignInStore
  /** Epoch ms. */
  clock(): number
  /** Refreshes that run here, by the name of the sign-in: all that wait have one answer. */
  refreshing: Map<string, Promise<void>>
  /** Without the headers that are configured for the server: these are for it alone. */
  fetch: FetchLike
}

/** ms before the end of a token at which it is renewed. */
const earlyMs = 30_000

/** Gives each request to a server its token, and renews it at the call that needs it. */
export interface ServerAuth extends AuthProvider {
  /** An error as what it asks for: a server may want more rights than a sign-in gave. */
  explain(error: unknown): Promise<unknown>
}

export function createServerAuth(
  deps: ServerAuthDeps,
  { server, url, config }: { server: string; url: URL; config: McpOAuth },
): ServerAuth {
  const { store, clock, fetch } = deps
  const skipIssuerMetadataValidation = config.skipIssuerCheck === true
  const isProgram = config.grant === "client_credentials" || config.grant === "cross_app"
  /** Null before the first refusal, which says where to sign in. */
  let program: OAuthClientProvider | null = null
  const signInProgram = async ({ scope, resourceMetadataUrl }: ReturnType<typeof extractWWWAuthenticateParams>) => {
    const asked = { ...(resourceMetadataUrl && { resourceMetadataUrl }), skipIssuerMetadataValidation, fetchFn: fetch }
    const issuer = issuerOf(await discoverOAuthServerInfo(url, asked))
    assertIssuer({ server, url, config }, issuer)
    program = programGrant(config, { fetch, issuer })
    if (program !== null) await auth(program, { serverUrl: url, ...(scope !== undefined && { scope }), ...asked })
  }
  const refresh = async (used: string | undefined): Promise<void> => {
    const { tokens, discovery, client } = await store.get()
    // Somebody else has renewed it meanwhile.
    if (tokens !== null && tokens.access_token !== used) return
    if (tokens?.refresh_token === undefined || discovery === null || client === null)
      throw new NeedsSignInError(server, "the sign-in has expired.")
    // The server may have named another one since.
    const issuer = issuerOf(discovery)
    if ((tokens.issuer ?? issuer) !== issuer || (client.issuer ?? issuer) !== issuer)
      throw new NeedsSignInError(server, `it signs in at another place now (${issuer}).`)
    const secret = config.clientId === client.client_id ? config.clientSecret : undefined
    try {
      const renewed = await refreshAuthorization(discovery.authorizationServerUrl, {
        ...(discovery.authorizationServerMetadata && { metadata: discovery.authorizationServerMetadata }),
        clientInformation: { ...client, ...(secret !== undefined && { client_secret: secret }) },
        refreshToken: tokens.refresh_token,
        ...(discovery.resourceMetadata && { resource: discovery.resourceMetadata.resource }),
        fetchFn: fetch,
      })
      const expiresAt = renewed.expires_in === undefined ? null : clock() + renewed.expires_in * 1_000
      await store.renew(tokens.access_token, { tokens: { ...tokens, ...renewed }, expiresAt })
    } catch (error) {
      if (!(error instanceof OAuthError) || error.code === OAuthErrorCode.ServerError)
        throw new Error(`The sign-in to the MCP server "${server}" could not be renewed: ${wordsOf(error)}`, {
          cause: error,
        })
      await store.renew(tokens.access_token, { tokens: null, expiresAt: null })
      throw new NeedsSignInError(server, "the sign-in has ended.")
    }
  }
  const renew = (used: string | undefined) => {
    const running = deps.refreshing.get(store.name)
    if (running !== undefined) return running
    const renewing = store.alone(() => refresh(used)).finally(() => deps.refreshing.delete(store.name))
    deps.refreshing.set(store.name, renewing)
    return renewing
  }
  return {
    async token() {
      if (isProgram) return (await program?.tokens())?.access_token
      const { tokens, expiresAt } = await store.get()
      if (tokens === null) return undefined
      const ends = expiresAt !== null && expiresAt - clock() < earlyMs && tokens.refresh_token !== undefined
      if (!ends) return tokens.access_token
      await renew(tokens.access_token)
      return (await store.get()).tokens?.access_token
    },
    async onUnauthorized({ response }) {
      const challenge = extractWWWAuthenticateParams(response)
      if (isProgram) return signInProgram(challenge)
      const { scope, resourceMetadataUrl } = challenge
      const { tokens } = await store.get()
      if (tokens !== null) return renew(tokens.access_token)
      await store.update({
        challenge: { scope: scope ?? null, resourceMetadataURL: resourceMetadataUrl?.href ?? null },
      })
      throw new NeedsSignInError(server, "nobody has signed in.")
    },
    async explain(error) {
      const lack = lackOf(error)
      if (lack === null) return needOfSignIn(error) ?? error
      const { tokens, challenge } = await store.get()
      const scope = computeScopeUnion(challenge?.scope ?? undefined, tokens?.scope, lack.requiredScope) ?? null
      await store.update({ challenge: { scope, resourceMetadataURL: lack.resourceMetadataUrl?.href ?? null } })
      return new NeedsSignInError(server, `it wants more rights (${lack.requiredScope ?? "it does not say which"}).`)
    },
  }
}

function lackOf(error: unknown): InsufficientScopeError | null {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1)
    if (cause instanceof InsufficientScopeError) return cause
  return null
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
