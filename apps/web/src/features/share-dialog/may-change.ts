import type { Share } from "@docket/core/schema"
import type { Rights } from "../../shell/rights.ts"

/** Whether the reader may change and end a link: one that they made, or, with the right to manage those of others, any. */
export function mayChange({ by }: Pick<Share, "by">, { can, person }: Rights): boolean {
  return can("share") && (can("shares.manage") || by?.person === person)
}
