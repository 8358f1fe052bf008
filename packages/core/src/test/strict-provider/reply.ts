/** The answer of the emulated provider to one request. */
export interface Reply {
  /** Reasoning; null when the provider does not reveal its text. */
  reasoning?: string | null
  text?: string
  /** A picture in base64 that the model made. */
  picture?: { mimeType: string; data: string }
  calls?: { id: string; tool: string; input: unknown }[]
  /** The answer reached the output limit. */
  cut?: boolean
  /** Sends what it has and then nothing, until the caller disconnects. */
  hangs?: boolean
  /** Starts to reason and then breaks the connection. */
  breaks?: boolean
  /** Reported number of tokens in the request; 10 when left out. */
  inputTokens?: number
}

/** One wire format: what its provider refuses, and how it streams an answer. */
export interface Wire {
  /** @throws Refusal, with a message like the provider's */
  check(body: unknown): void
  /** The events of the stream; the last events complete it. */
  events(reply: Reply, body: unknown): { begun: unknown[]; rest: unknown[] }
}

/** The provider refuses a request (HTTP 400). */
export class Refusal extends Error {}

export function refuseUnless(ok: unknown, message: string): asserts ok {
  if (!ok) throw new Refusal(message)
}

/** Checks that every text is valid Unicode without NUL; the parsers of some providers fail otherwise. */
export function checkTexts(value: unknown): void {
  if (typeof value === "string") {
    refuseUnless(value.isWellFormed(), "The request body is not valid JSON: no low surrogate in string")
    refuseUnless(!value.includes("\0"), "unsupported Unicode escape sequence: \\u0000")
  } else if (typeof value === "object" && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      checkTexts(key)
      checkTexts(item)
    }
  }
}

export function checkOnce(id: string, seen: Set<string>): void {
  refuseUnless(!seen.has(id), `the id ${id} of a call is used twice`)
  seen.add(id)
}

export function isBlank(text: string | null | undefined): boolean {
  return (text ?? "").trim() === ""
}
