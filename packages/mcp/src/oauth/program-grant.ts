import type { McpOAuth } from "@docket/core/schema"
import {
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  discoverAndRequestJwtAuthGrant,
  type FetchLike,
  type OAuthClientProvider,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant,
} from "@modelcontextprotocol/client"

/**
 * The sign-in of a program, which no person does: by its own secret or key, or by what an identity provider says of a user.
 * Null where a person signs in. Its tokens are kept in memory: they can be had again at any time.
 */
export function programGrant(
  config: McpOAuth,
  { fetch, issuer }: { fetch: FetchLike; issuer: string },
): OAuthClientProvider | null {
  const { grant, clientId = "", clientSecret, privateKey, signingAlgorithm = "ES256", scope, idp } = config
  // The library sends secrets to no other authorization server.
  const client = { clientId, clientName: "Docket", expectedIssuer: issuer, ...(scope !== undefined && { scope }) }
  if (grant === "client_credentials") {
    return privateKey === undefined
      ? new ClientCredentialsProvider({ ...client, clientSecret: clientSecret ?? "" })
      : new PrivateKeyJwtProvider({ ...client, privateKey, algorithm: signingAlgorithm })
  }
  if (grant !== "cross_app" || idp === undefined) return null
  return new CrossAppAccessProvider({
    clientId,
    clientName: "Docket",
    clientSecret: clientSecret ?? "",
    expectedIssuer: issuer,
    fetchFn: fetch,
    async assertion({ authorizationServerUrl, resourceUrl, scope: asked }) {
      const request = {
        audience: authorizationServerUrl,
        resource: resourceUrl,
        idToken: idp.idToken,
        clientId: idp.clientId,
        ...(idp.clientSecret !== undefined && { clientSecret: idp.clientSecret }),
        ...(asked !== undefined && { scope: asked }),
        fetchFn: fetch,
      }
      const { jwtAuthGrant } =
        idp.tokenEndpoint === undefined
          ? await discoverAndRequestJwtAuthGrant({ ...request, idpUrl: idp.issuer })
          : await requestJwtAuthorizationGrant({ ...request, tokenEndpoint: idp.tokenEndpoint })
      return jwtAuthGrant
    },
  })
}
