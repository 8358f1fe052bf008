import type { McpOAuth } from "@docket/core/schema"
import type { OAuthDiscoveryState } from "@modelcontextprotocol/client"

/** The server that is signed in to. */
interface Resource {
  server: string
  url: URL
  config: McpOAuth
}

/** How an authorization server calls itself; where it says nothing, its address. */
export function issuerOf({ authorizationServerUrl, authorizationServerMetadata }: OAuthDiscoveryState): string {
  return authorizationServerMetadata?.issuer ?? authorizationServerUrl
}

/**
 * Secrets of the configuration go to the authorization server that it names, or to one of the server's own domain. Else a
 * server could have them sent wherever it likes, because it says where to sign in.
 * @throws Error for any other
 */
export function assertIssuer({ server, url, config }: Resource, issuer: string): void {
  if (config.issuer !== undefined) {
    if (withoutSlash(config.issuer) === withoutSlash(issuer)) return
    throw new Error(`The MCP server "${server}" signs in at ${issuer}, and its configuration names ${config.issuer}.`)
  }
  const hasSecret = config.clientSecret ?? config.privateKey ?? config.idp
  if (hasSecret === undefined || isOfDomain(new URL(issuer).hostname, url.hostname)) return
  throw new Error(
    `The MCP server "${server}" signs in at ${issuer}, which is not of its own domain, so that no secret is sent there. If it is the right one, set oauth.issuer to it.`,
  )
}

/** Equal, or one is below the other. */
function isOfDomain(one: string, other: string): boolean {
  const isBelow = (low: string, high: string) => high.includes(".") && low.endsWith(`.${high}`)
  return one === other || isBelow(one, other) || isBelow(other, one)
}

function withoutSlash(address: string): string {
  return address.replace(/\/$/, "")
}
