import type { SharedTree } from "@docket/client/pages"

/** When the share was frozen (epoch ms): its pages show work that ran at that time as ended. Null for a live share. */
export function frozenAt({ share }: SharedTree): number | null {
  return share.mode === "frozen" ? share.time.created : null
}
