/** What is asked of an S3 service, in the words of this package. One request each. */
export interface S3Api {
  put(key: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>
  /** Null when there is no such object. `from` and `to` are bytes, `to` not included. */
  get(key: string, range: { from: number; to?: number | undefined }, signal: AbortSignal): Promise<S3Body | null>
  head(key: string, signal: AbortSignal): Promise<{ size: number; written: number } | null>
  delete(key: string, signal: AbortSignal): Promise<void>
  /** False when there is no such object. */
  copy(from: string, to: string, signal: AbortSignal): Promise<boolean>
  /** A page of the objects whose keys begin with `prefix`. */
  list(prefix: string, after: string | undefined, signal: AbortSignal): Promise<S3Page>
  beginParts(key: string, signal: AbortSignal): Promise<string>
  /** @returns what `endParts` has to name */
  putPart(key: string, part: S3Part, signal: AbortSignal): Promise<string>
  endParts(key: string, upload: string, tags: readonly string[], signal: AbortSignal): Promise<void>
  dropParts(key: string, upload: string, signal: AbortSignal): Promise<void>
}

export interface S3Body {
  /** Bytes of the whole object. */
  size: number
  pieces: AsyncIterable<Uint8Array>
}

export interface S3Part {
  upload: string
  /** From 1 on. */
  number: number
  bytes: Uint8Array
}

export interface S3Page {
  objects: { key: string; size: number; written: number }[]
  /** Where the next page begins; null at the end. */
  next: string | null
}

/** An answer of the service that is not what was asked for. */
export class S3Refusal extends Error {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  /** The service's own word, such as `NoSuchBucket`. */
  readonly word: string
  constructor(status: number, word: string, options?: ErrorOptions) {
    super(`${word}${status === 0 ? "" : ` (HTTP ${status})`}`, options)
    this.name = "S3Refusal"
    this.status = status
    this.word = word
  }
}

/** Whether the same request may be answered later. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof S3Refusal)) return false
  return error.status === 0 || error.status === 408 || error.status === 429 || error.status >= 500
}
