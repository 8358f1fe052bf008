import { z } from "zod"

/**
 * A saved key with its recipient; no other address or installed package gets it. Null means the provider's own address,
 * and a package that ships with Docket.
 */
export const SavedKey = z.object({
  type: z.literal("api"),
  key: z.string().min(1),
  baseURL: z.string().nullable(),
  package: z.string().nullable().default(null),
})
export type SavedKey = z.infer<typeof SavedKey>

/** The recipient of a key: null for the provider's own address, and for a package that ships with Docket. */
export type KeyTarget = Pick<SavedKey, "baseURL" | "package">

/** The name of a key: a provider has one for each address and package. */
export function nameOfKey(providerID: string, { baseURL, package: installed }: KeyTarget): string {
  return baseURL === null && installed === null ? providerID : `${providerID} ${baseURL ?? ""} ${installed ?? ""}`
}
