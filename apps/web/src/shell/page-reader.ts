import type { PageReader } from "@docket/client/pages"

/** The interface that the server provides to these pages in its own process. */
export function pageReader(): PageReader | undefined {
  const offered: { [key: symbol]: unknown } = globalThis
  // Set by the server, which has the same version.
  return offered[Symbol.for("docket.pages")] as PageReader | undefined
}

/** The credentials in a request's headers. */
export function sentCredentials(sent: Pick<Headers, "get">): { headers: { cookie?: string; authorization?: string } } {
  const cookie = sent.get("cookie") ?? undefined
  const authorization = sent.get("authorization") ?? undefined
  return { headers: { ...(cookie && { cookie }), ...(authorization && { authorization }) } }
}
