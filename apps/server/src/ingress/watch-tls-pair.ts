import { statSync } from "node:fs"
import type { Timers } from "@docket/core/timers"
import type { TlsFiles } from "../options.ts"
import { datesProblem, readTlsPair, type TlsPair } from "./tls-pair.ts"

export interface WatchTlsPairDeps {
  /** Uses a new pair, from the next connection on. */
  use(pair: TlsPair): void
  /** A message for the user. */
  report(phase: string): void
  clock(): number
  timers: Timers
}

/** How often the files are checked (ms). */
export const lookEveryMs = 10_000

/**
 * Follows the renewal of a certificate and its key. Polls, because renewal tools change symbolic links one after the
 * other. A pair that does not match is reported once, and the previous pair stays in use. Returns a function that ends
 * this.
 */
export function watchTlsPair(files: TlsFiles, { use, report, clock, timers }: WatchTlsPairDeps): () => void {
  let seen = stateOf(files)
  const look = () => {
    const state = stateOf(files)
    if (state === seen) return
    seen = state
    try {
      const pair = readTlsPair(files)
      use(pair)
      report(["the certificate was renewed", datesProblem(pair, clock())].filter(Boolean).join(", but "))
    } catch (error) {
      report(`the new certificate is not used, the one before stays: ${error instanceof Error ? error.message : error}`)
    }
  }
  return timers.every(lookEveryMs, look)
}

/** A text that changes with the files, and with the targets of symbolic links. */
function stateOf({ cert, key }: TlsFiles): string {
  return [cert, key]
    .map((file) => {
      const found = statSync(file, { throwIfNoEntry: false, bigint: true })
      return found ? `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}` : "none"
    })
    .join(" ")
}
