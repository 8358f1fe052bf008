import { DocketError } from "@docket/core"
import type { Identity } from "../auth/identity.ts"

/**
 * Refuses keys: what they made here would outlast them, so a stolen key could keep its access after it was revoked.
 * @throws role_forbidden
 */
export function requirePerson({ via }: Identity): void {
  if (via === "key") throw new DocketError("role_forbidden", "A key of a program cannot do that. Sign in as a person.")
}
