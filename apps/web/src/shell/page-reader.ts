import type { PageReader } from "@docket/client/pages"

/** What the service that serves these pages offers them in its process. */
export function pageReader(): PageReader | undefined {
  const offered: { [key: symbol]: unknown } = globalThis
  // Put there by the service of the same version.
  return offered[Symbol.for("docket.pages")] as PageReader | undefined
}

/** What of a request tells who sent it. */
export function sentCredentials(sent: Pick<Headers, "get">): { headers: { cookie?: string; authorization?: string } } {
  const cookie = sent.get("cookie") ?? undefined
  const authorization = sent.get("authorization") ?? undefined
  return { headers: { ...(cookie && { cookie }), ...(authorization && { authorization }) } }
}
