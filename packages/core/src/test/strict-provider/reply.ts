/** What the emulated provider answers to one request. */
export interface Reply {
  /** Reasoning; null for one whose text the provider keeps to itself. */
  reasoning?: string | null
  text?: string
  calls?: { id: string; tool: string; input: unknown }[]
  /** The answer hit the output limit. */
  cut?: boolean
  /** Sends what there is and then nothing more, until the caller goes away. */
  hangs?: boolean
  /** Begins to reason and breaks the connection. */
  breaks?: boolean
  /** Tokens that the request is said to have; 10 unless given. */
  inputTokens?: number
}

/** One wire format: what its provider refuses, and how it streams an answer. */
export interface Wire {
  /** @throws Refusal, in words like the provider's own */
  check(body: unknown): void
  /** The events of the stream; the last ones say that it is complete. */
  events(reply: Reply, body: unknown): { begun: unknown[]; rest: unknown[] }
}

/** The provider does not accept a request (HTTP 400). */
export class Refusal extends Error {}

export function refuseUnless(ok: unknown, message: string): asserts ok {
  if (!ok) throw new Refusal(message)
}

/** Every text in a request is valid Unicode without NUL; the parsers of some providers fail otherwise. */
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
