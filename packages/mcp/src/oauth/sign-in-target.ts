import type { McpOAuth } from "@docket/core/schema"
import type { FetchLike } from "@modelcontextprotocol/client"
import type { SignInStore } from "./sign-in-store.ts"

/** The server to sign in to. */
export interface SignInTarget {
  server: string
  url: URL
  config: McpOAuth
  store: SignInStore
  fetch: FetchLike
}
