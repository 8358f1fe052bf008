import type { LanguageModelV4FilePart } from "@ai-sdk/provider"
import { attachedHash, attachmentAddress, FileFacts } from "../schema/index.ts"

/** A kept picture or PDF in a prompt, before its bytes are read for a request. */
export interface KeptFile {
  hash: string
  facts: FileFacts
}

/** The prompt holds the address and facts alone, so that the pictures of a long session are not all in memory. */
export function keptFile(
  { hash, facts }: KeptFile,
  part: { mediaType: string; filename?: string },
): LanguageModelV4FilePart {
  const query = new URLSearchParams()
  for (const name of ["size", "width", "height", "pages"] as const)
    if (facts[name] !== undefined) query.set(name, String(facts[name]))
  return { type: "file", ...part, data: { type: "url", url: new URL(`${attachmentAddress(hash)}?${query}`) } }
}

/** Null for a file whose content is in the prompt, or that the provider fetches. */
export function readKeptFile({ data }: Pick<LanguageModelV4FilePart, "data">): KeptFile | null {
  if (data.type !== "url" || data.url.protocol !== "attachment:") return null
  const { searchParams: query, protocol, pathname } = data.url
  const hash = attachedHash(`${protocol}${pathname}`)
  if (hash === null) return null
  const numbers = Object.fromEntries([...query].map(([name, value]) => [name, Number(value)]))
  const facts = FileFacts.safeParse(numbers).data ?? {}
  return { hash, facts }
}

/** Pixels that count as one token, and the most tokens of a picture: providers make larger ones smaller first. */
const pixelsPerToken = 750
const mostPictureTokens = 1_600
/** Of its picture and its text (Anthropic's figures: 1,500 to 3,000). */
const pageTokens = 2_000

/** Tokens that a file costs a model, about. A text is counted by its size. */
export function mediaTokens(mediaType: string, { size = 0, width, height, pages }: FileFacts): number {
  if (mediaType === "application/pdf") return (pages ?? 1) * pageTokens
  if (!mediaType.startsWith("image/")) return Math.ceil(size / 4)
  if (width === undefined || height === undefined) return mostPictureTokens
  return Math.min(mostPictureTokens, Math.ceil((width * height) / pixelsPerToken))
}
