import type { ModelInfo } from "../schema/index.ts"

type Kind = NonNullable<ModelInfo["inputs"]>[number]

/** The kinds of input that a model reads besides text. */
export interface ModelInputs {
  /** The AI SDK package that speaks to it. */
  npm: string
  /** Kinds of file that it reads. */
  kinds: readonly Kind[]
  /** Addresses that the provider fetches itself, by media type (`image/*`), as the AI SDK lists them. */
  urls: Record<string, readonly RegExp[]>
}

/** Kinds that the package can send, where nothing is known of the model. */
const kindsOf: Record<string, readonly Kind[]> = {
  "@ai-sdk/anthropic": ["image", "pdf"],
  "@ai-sdk/openai": ["image", "pdf"],
  "@ai-sdk/google": ["image", "pdf", "audio", "video"],
  // Few of these servers read more, and one that does not refuses the whole request.
  "@ai-sdk/openai-compatible": ["image"],
}

const images = ["image/jpeg", "image/png", "image/gif", "image/webp"]
const googleImages = ["image/jpeg", "image/png", "image/webp", "image/heic", "image/heif"]

/** @param urls `supportedUrls` of the AI SDK's model */
export function modelInputs(npm: string, inputs: ModelInfo["inputs"], urls: ModelInputs["urls"]): ModelInputs {
  return { npm, kinds: inputs ?? kindsOf[npm] ?? ["image", "pdf"], urls }
}

/** Whether the model reads data of this media type. */
export function takesData({ npm, kinds }: ModelInputs, mediaType: string): boolean {
  const kind = kindOf(mediaType)
  if (kind === null || !kinds.includes(kind)) return false
  if (kind === "image") return (npm === "@ai-sdk/google" ? googleImages : images).includes(mediaType)
  if (kind === "audio" && npm === "@ai-sdk/openai-compatible") return /^audio\/(?:wav|mp3|mpeg)$/.test(mediaType)
  return kind === "pdf" || (npm !== "@ai-sdk/anthropic" && npm !== "@ai-sdk/openai")
}

/** Whether the provider fetches this address itself. */
export function takesURL(inputs: ModelInputs, mediaType: string, url: string): boolean {
  if (!takesData(inputs, mediaType)) return false
  return Object.entries(inputs.urls).some(([pattern, urls]) => {
    const isExact = pattern === "*" || pattern === "*/*" || pattern === mediaType
    const isOfFamily = pattern.endsWith("/*") && mediaType.startsWith(pattern.slice(0, -1))
    return (isExact || isOfFamily) && urls.some((known) => known.test(url))
  })
}

function kindOf(mediaType: string): Kind | null {
  if (mediaType === "application/pdf") return "pdf"
  const [family] = mediaType.split("/")
  return family === "image" || family === "audio" || family === "video" ? family : null
}
