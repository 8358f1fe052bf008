import type { PageOwner } from "@docket/client/pages"
import { headers } from "next/headers"
import { pageReader, sentCredentials } from "../../shell/page-reader.ts"

/** Who asks for the page, as the service that serves it says; null for who is not signed in. */
export async function readPageOwner(): Promise<PageOwner | null> {
  return (await pageReader()?.reader(sentCredentials(await headers()))) ?? null
}
