import type { ServerResponse } from "node:http"
import type { Identity } from "../auth/identity.ts"
import { createAtOnce } from "./at-once.ts"

/** Maximum number of imports at once. Each takes up to 64 MiB, and several times that while it is parsed. */
const most = { ofPerson: 2, ofWorkspace: 4, ofService: 6 }

export interface ImportLimit {
  /** Counts an import until its answer is sent. False when too many are in progress. */
  open(identity: Identity, res: ServerResponse): boolean
}

export function createImportLimit(): ImportLimit {
  const atOnce = createAtOnce()
  return {
    open({ caller }, res) {
      const claims = [
        [`person ${caller.person}`, most.ofPerson],
        [`workspace ${caller.workspace}`, most.ofWorkspace],
        ["service", most.ofService],
      ] as const
      return atOnce.begin(claims, res)
    },
  }
}

export const tooManyImports = {
  status: 429,
  code: "TOO_MANY_REQUESTS",
  message: "other files are being imported; send this one when they are done",
} as const
/** How long a refused import should wait (s). */
export const importRetryAfter = 5
