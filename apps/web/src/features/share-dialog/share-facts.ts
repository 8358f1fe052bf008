import type { ListedShare } from "@docket/core"
import { formatDateTime } from "../../ui/format.ts"

/** Describes a share in short facts: audience, end, and whether it is live or frozen. */
export function shareFacts(
  share: Pick<ListedShare, "audience" | "mode" | "hasPassword" | "expires" | "indexed">,
  now: number,
): string[] {
  const { audience, mode, hasPassword, expires, indexed } = share
  return [
    audience === "link" ? "anyone with the link" : "people signed in here",
    mode === "live" ? "follows the work" : "frozen",
    ...(hasPassword ? ["password"] : []),
    ...(indexed ? ["search engines"] : []),
    expires === null ? "no end" : `${expires <= now ? "ended" : "ends"} ${formatDateTime(expires)}`,
  ]
}

export function viewsOf({ views }: Pick<ListedShare, "views">): string {
  return views === 0 ? "not opened yet" : `opened ${views === 1 ? "once" : `${views} times`}`
}

/** What is hidden in it, most frequent first: "home directory 12×, AWS access key 3×". */
export function hiddenOf({ hidden }: Pick<ListedShare, "hidden">): string {
  const labels = Object.entries(hidden).sort(([, left], [, right]) => right - left)
  return labels.map(([label, count]) => `${label} ${count}×`).join(", ")
}

/** Whether the link works: it is neither revoked nor expired. */
export function isOpen({ time, expires }: Pick<ListedShare, "time" | "expires">, now: number): boolean {
  return time.revoked === null && (expires === null || expires > now)
}
