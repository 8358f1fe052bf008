import type { TreeState } from "@docket/client"

/** The newest part of a session; null when the page has not loaded the end of its transcript. */
export function newestPart(tree: Pick<TreeState, "transcripts"> | null, sessionID: string): string | null {
  const window = tree?.transcripts[sessionID]
  if (window === undefined || window.after !== null) return null
  return window.messages.findLast(({ parts }) => parts.length > 0)?.parts.at(-1)?.id ?? null
}
