import type { ToolView } from "../../tools/tool-view.ts"

/** Lines of a change that are shown unasked: small changes whole, of long ones the beginning. */
export const previewLines = 12

/**
 * How much of a call's body is shown, and what a press on its header asks for. `open` is the reader's own choice;
 * without one a change shows its head, and the tool decides for the rest.
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
