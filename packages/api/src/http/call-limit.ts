import type { ServerResponse } from "node:http"
import type { Identity } from "../auth/identity.ts"
import { sendRefusal } from "./respond.ts"

/** How often people and keys may call. */
export interface CallLimit {
  /** Counts a call. Null when it may be made; with too many calls, how long to wait (s). */
  take(identity: Identity): Promise<number | null>
}

export function sendTooManyCalls(res: ServerResponse, seconds: number): void {
  res.setHeader("retry-after", String(seconds))
  sendRefusal(res, { status: 429, code: "TOO_MANY_REQUESTS", message: tooManyCalls(seconds) })
}

export function tooManyCalls(seconds: number): string {
  return `too many calls; send the next in ${seconds} s`
}
