import { DocketError } from "@docket/core"
import type { Capability } from "@docket/core/operations"
import type { Identity } from "../auth/identity.ts"
import { requireAccess } from "./may.ts"

/**
 * Checks the sender of a request again once its body has arrived: in the meantime they may have lost the right.
 * @throws signed_out, workspace_not_found when their sign-in moved to another workspace, forbidden
 */
export function asOfNow({ caller }: Identity, now: Identity | null, capability: Capability): Identity {
  if (now === null) throw new DocketError("signed_out", "You are not signed in any more. Sign in again.")
  if (now.caller.person !== caller.person || now.caller.workspace !== caller.workspace)
    throw new DocketError("workspace_not_found", "You work in another workspace by now. Load the page again.")
  requireAccess(now, capability)
  return now
}
