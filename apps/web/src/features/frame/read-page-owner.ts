import type { PageOwner } from "@docket/client/pages"
import { headers } from "next/headers"
import { pageReader, sentCredentials } from "../../shell/page-reader.ts"

/** The user who requests the page, as the service reports it; null when not signed in. */
export async function readPageOwner(): Promise<PageOwner | null> {
  return (await pageReader()?.reader(sentCredentials(await headers()))) ?? null
}
