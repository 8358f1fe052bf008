import type { SharedV4ProviderMetadata } from "@ai-sdk/provider"
import type { TextPart } from "../schema/index.ts"

/** Provider metadata as a part keeps it: absent when there is none. */
export function storedMetadata(metadata: SharedV4ProviderMetadata | undefined): Pick<TextPart, "providerMetadata"> {
  return metadata === undefined ? {} : { providerMetadata: metadata }
}
