/** What a provider takes in one request. Sizes are bytes of files: a request holds a third more, in base64. */
export interface MediaLimits {
  /** Pictures of a request, each at most this large, with no side over `edge` pixels. */
  pictures: number
  pictureBytes: number
  edge: number
  pdfPages: number
  /** All files together. */
  bytes: number
}

const MB = 1024 * 1024

/** By the AI SDK's package; the figures are those of the providers' documents. */
const known: Record<string, MediaLimits> = {
  // With more than 20 pictures no side may have over 2,000 pixels; larger ones are made smaller there anyway.
  "@ai-sdk/anthropic": { pictures: 100, pictureBytes: 3.7 * MB, edge: 2_000, pdfPages: 100, bytes: 22 * MB },
  "@ai-sdk/openai": { pictures: 250, pictureBytes: 15 * MB, edge: 4_096, pdfPages: 100, bytes: 36 * MB },
  "@ai-sdk/google": { pictures: 900, pictureBytes: 5 * MB, edge: 3_072, pdfPages: 1_000, bytes: 14 * MB },
}

/** For servers of which nothing is known. */
const careful: MediaLimits = { pictures: 20, pictureBytes: 3.7 * MB, edge: 2_000, pdfPages: 100, bytes: 14 * MB }

export function mediaLimits(npm: string): MediaLimits {
  return known[npm] ?? careful
}
