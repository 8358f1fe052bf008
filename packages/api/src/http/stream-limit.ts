import type { ServerResponse } from "node:http"
import { placeOf } from "@docket/core"
import type { Identity } from "../auth/identity.ts"
import { type Claim, createAtOnce } from "./at-once.ts"
import { sendRefusal } from "./respond.ts"

/** How many event streams may be open at once. */
export interface StreamLimits {
  /** For one sign-in, key or token. */
  perCredential: number
  /** For one person, with all their sign-ins and keys. */
  perPerson: number
}

export const usualStreamLimits: StreamLimits = { perCredential: 100, perPerson: 200 }
/** For all tokens of a workspace together, which belong to no person. */
const mostByTokens = 500
/** For the readers of one link, and for the readers of all links from one address, which may be that of a company. */
const mostShared = { ofLink: 3_000, fromPlace: 500 }

export interface StreamLimit {
  /** Counts a stream of somebody who is signed in until its connection ends. False when they have too many. */
  open(identity: Identity, res: ServerResponse): boolean
  /** Counts a stream of somebody with a link in the same way. */
  openShared(link: { shareID: string; address: string }, res: ServerResponse): boolean
}

export function createStreamLimit({ perCredential, perPerson }: StreamLimits): StreamLimit {
  const atOnce = createAtOnce()
  return {
    open({ via, credentialID, caller }, res) {
      const owner: Claim =
        via === "token" ? [`tokens of ${caller.workspace}`, mostByTokens] : [`person ${caller.person}`, perPerson]
      return atOnce.begin([[`credential ${credentialID}`, perCredential], owner], res)
    },
    openShared({ shareID, address }, res) {
      const claims = [
        [`share ${shareID}`, mostShared.ofLink],
        [`shared from ${placeOf(address)}`, mostShared.fromPlace],
      ] as const
      return atOnce.begin(claims, res)
    },
  }
}

export const tooManyStreams = "too many streams are open; close some of them"
/** How long a refused reader should wait (s). */
export const streamRetryAfter = 5

export function sendTooManyStreams(res: ServerResponse): void {
  res.setHeader("retry-after", String(streamRetryAfter))
  sendRefusal(res, { status: 429, code: "TOO_MANY_REQUESTS", message: tooManyStreams })
}
