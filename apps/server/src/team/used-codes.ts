import { createHash } from "node:crypto"
import type { InOrder } from "@docket/core"
import type { Context } from "./create-accounts.ts"

/** How long a code of an authenticator app may be accepted (ms): its own half minute and those beside it. */
const takenMs = 120_000

/**
 * Codes that were used for a sign-in (RFC 6238, 5.2: each at most once). Stored with the accounts, so that they survive
 * a restart and are shared with other services.
 */
export function createUsedCodes(
  adapter: Context["internalAdapter"],
  { inOrder, clock }: { inOrder: InOrder; clock: () => number },
) {
  return {
    /** Whether it is the first use; of several parallel calls, only one is. */
    use: (person: string, code: string): Promise<boolean> =>
      inOrder(`codes of ${person}`, async () => {
        const identifier = `used-code:${createHash("sha256").update(`${person}\0${code}`).digest("base64url")}`
        const found = await adapter.findVerificationValue(identifier)
        if (found && found.expiresAt.getTime() > clock()) return false
        const expiresAt = new Date(clock() + takenMs)
        await adapter.createVerificationValue({ identifier, value: "used", expiresAt })
        return true
      }),
  }
}

export type UsedCodes = ReturnType<typeof createUsedCodes>
