import type { SharedTree } from "@docket/client/pages"

/** When the share was frozen (epoch ms): work that ran then runs no longer on its pages. Null for one that is live. */
export function frozenAt({ share }: SharedTree): number | null {
  return share.mode === "frozen" ? share.time.created : null
}
