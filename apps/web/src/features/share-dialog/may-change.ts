import type { Share } from "@docket/core/schema"
import type { Rights } from "../../shell/rights.ts"

/** Whether the user may change and revoke a link: their own, or any with the right to manage shares. */
export function mayChange({ by }: Pick<Share, "by">, { can, person }: Rights): boolean {
  return can("share") && (can("shares.manage") || by?.person === person)
}
