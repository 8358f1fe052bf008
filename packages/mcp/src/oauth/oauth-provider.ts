import type { McpOAuth } from "@docket/core/schema"
import type { OAuthClientProvider } from "@modelcontextprotocol/client"
import { assertIssuer, issuerOf } from "./assert-issuer.ts"
import type { KeptSignIn } from "./sign-in-store.ts"

/** A sign-in that a person does in a browser. */
export interface BrowserFlow {
  redirectURL: string
  state: string
  verifier: string | null
  onVerifier(verifier: string): void
  /** Where the person goes. */
  onAddress(address: URL): void
}

/** What the protocol's library reads and writes during a sign-in in a browser. */
export function createOAuthProvider(
  { store, clock }: { store: KeptSignIn; clock(): number },
  resource: { server: string; url: URL; config: McpOAuth },
  flow: BrowserFlow,
): OAuthClientProvider {
  const { config } = resource
  return {
    redirectUrl: flow.redirectURL,
    ...(config.clientMetadataUrl !== undefined && { clientMetadataUrl: config.clientMetadataUrl }),
    clientMetadata: {
      client_name: "Docket",
      redirect_uris: [flow.redirectURL],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      ...(config.scope !== undefined && { scope: config.scope }),
    },
    state: () => flow.state,
    async clientInformation() {
      const { client } = await store.get()
      if (config.clientId === undefined) return client ?? undefined
      // With the server that it was first used at, so that the secret goes to no other.
      const issuer = client?.client_id === config.clientId ? client.issuer : undefined
      return {
        client_id: config.clientId,
        ...(config.clientSecret !== undefined && { client_secret: config.clientSecret }),
        ...(issuer !== undefined && { issuer }),
      }
    },
    async saveClientInformation(client) {
      // The secret of the configuration stays there.
      const { client_id, issuer } = client
      const isConfigured = config.clientId !== undefined
      await store.update({ client: isConfigured ? { client_id, ...(issuer !== undefined && { issuer }) } : client })
    },
    tokens: async () => (await store.get()).tokens ?? undefined,
    async saveTokens(tokens) {
      const expiresAt = tokens.expires_in === undefined ? null : clock() + tokens.expires_in * 1_000
      await store.update({ tokens, expiresAt, challenge: null })
    },
    redirectToAuthorization: flow.onAddress,
    saveCodeVerifier: flow.onVerifier,
    codeVerifier() {
      if (flow.verifier === null) throw new Error("This sign-in was not begun here.")
      return flow.verifier
    },
    discoveryState: async () => (await store.get()).discovery ?? undefined,
    async saveDiscoveryState(discovery) {
      // Before anything is sent there.
      assertIssuer(resource, issuerOf(discovery))
      await store.update({ discovery })
    },
    async invalidateCredentials(scope) {
      if (scope === "all") await store.remove()
      if (scope === "client") await store.update({ client: null })
      if (scope === "tokens") await store.update({ tokens: null, expiresAt: null })
      if (scope === "discovery") await store.update({ discovery: null })
    },
  }
}
