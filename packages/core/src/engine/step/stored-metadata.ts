import type { SharedV4ProviderMetadata } from "@ai-sdk/provider"
import type { TextPart } from "../../ground/schema/index.ts"

type Stored = TextPart["providerMetadata"]

/** Provider metadata as a part keeps it: absent when there is none. */
export function storedMetadata(metadata: SharedV4ProviderMetadata | undefined): Pick<TextPart, "providerMetadata"> {
  return metadata === undefined ? {} : { providerMetadata: metadata }
}

/**
 * What is known of a part with what was said later of it. Providers send it in pieces (Anthropic a signature, OpenAI an
 * id first and the encrypted reasoning at the end), and a later null takes nothing back.
 */
export function mergedMetadata(known: Stored, added: Stored): Pick<TextPart, "providerMetadata"> {
  if (added === undefined) return known === undefined ? {} : { providerMetadata: known }
  const merged: NonNullable<Stored> = { ...known }
  for (const [provider, values] of Object.entries(added)) {
    const old = merged[provider]
    const news = Object.entries(values).filter(([key, value]) => value !== null || old?.[key] === undefined)
    merged[provider] = { ...old, ...Object.fromEntries(news) }
  }
  return { providerMetadata: merged }
}
