import type { TreeState } from "@docket/client"

/** The newest part of a session that the page holds; null when it does not hold the end of its transcript. */
export function newestPart(tree: Pick<TreeState, "transcripts"> | null, sessionID: string): string | null {
  const window = tree?.transcripts[sessionID]
  if (window === undefined || window.after !== null) return null
  return window.messages.findLast(({ parts }) => parts.length > 0)?.parts.at(-1)?.id ?? null
}
