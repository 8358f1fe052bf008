import type { ToolView } from "../../tools/tool-view.ts"

/** Number of lines of a change that are shown by default: small changes in full, long ones from the beginning. */
export const previewLines = 12

/**
 * How much of a call's body is shown, and the open state after a press on its header. `open` is the reader's choice;
 * without one a change shows its first lines, and other tools decide for themselves.
 */
export function shownOf(
  view: Pick<ToolView, "body" | "open" | "error">,
  open: boolean | undefined,
): { shown: "none" | "head" | "all"; next: boolean } {
  if (view.error === null && view.body.kind === "none") return { shown: "none", next: true }
  if (open === undefined && !view.open && view.body.kind === "diff") return { shown: "head", next: true }
  const shown = open ?? view.open
  return { shown: shown ? "all" : "none", next: !shown }
}
