import { DocketError } from "@docket/core"
import type { Identity } from "../auth/identity.ts"

/** What outlasts a key is made by no key: who finds one would stay after it was revoked. @throws role_forbidden */
export function requirePerson({ via }: Identity): void {
  if (via === "key") throw new DocketError("role_forbidden", "A key of a program cannot do that. Sign in as a person.")
}
