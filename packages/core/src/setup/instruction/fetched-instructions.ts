import type { GuardedFetch } from "../../ground/fetch/guarded-fetch.ts"
import { quoteFrames } from "../../ground/message/quote-frames.ts"
import { instructionLimits } from "./read-instruction.ts"

/**
 * Longest time that a turn waits for an address, how long a result is used, and how long a failure is remembered (ms).
 */
const waitMs = 5_000
const freshMs = 60 * 60_000
const retryMs = 5 * 60_000

/** The result for an address. `problem` completes a sentence that begins with the address. */
export type FetchedInstructions = { text: string } | { problem: string }

export interface InstructionAddresses {
  /** The last result for an address; waits only on the first request. Never throws. */
  of(url: string): Promise<FetchedInstructions>
  /** The last result without waiting; null when there is none yet. */
  known(url: string): FetchedInstructions | null
}

interface CachedText {
  /** Null until the first answer. */
  last: FetchedInstructions | null
  /** The answer to the latest request. */
  asked: Promise<FetchedInstructions>
  /** When it was asked, then when it was answered. */
  at: number
}

/** Instructions that a configuration names by address. They are fetched rarely, and each address once at a time. */
export function createInstructionAddresses(deps: { fetch: GuardedFetch; now: () => number }): InstructionAddresses {
  const cache = new Map<string, CachedText>()
  const ask = (url: string): CachedText => {
    const known = cache.get(url)
    if (known !== undefined && (known.last === null || deps.now() - known.at < lifetime(known.last))) return known
    const before = known?.last ?? null
    const entry: CachedText = { last: before, at: deps.now(), asked: fetchText(deps.fetch, url) }
    cache.set(url, entry)
    void entry.asked.then((answer) => {
      // Keep the earlier text when a new request fails.
      entry.last = "problem" in answer && before !== null && "text" in before ? before : answer
      entry.at = deps.now()
    })
    return entry
  }
  return {
    async of(url) {
      const entry = ask(url)
      return entry.last ?? entry.asked
    },
    known: (url) => ask(url).last,
  }
}

function lifetime(answer: FetchedInstructions): number {
  return "text" in answer ? freshMs : retryMs
}

async function fetchText(fetch: GuardedFetch, url: string): Promise<FetchedInstructions> {
  const timeout = AbortSignal.timeout(waitMs)
  try {
    const { bytes } = await fetch(url, timeout)
    const text = bytes.subarray(0, instructionLimits.file).toString("utf8").trim()
    if (text.includes("\0")) return { problem: "is left out of the instructions: it is not text" }
    const cut = `\n\n[Cut after ${instructionLimits.file} of ${bytes.length} bytes.]`
    return { text: quoteFrames(text) + (bytes.length > instructionLimits.file ? cut : "") }
  } catch (error) {
    const why = timeout.aborted
      ? `it did not come within ${waitMs / 1_000} seconds.`
      : error instanceof Error
        ? error.message
        : String(error)
    return { problem: `is left out of the instructions for now: ${why}` }
  }
}
