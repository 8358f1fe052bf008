/** What marks the drawn text of a part, and within it which of its texts is drawn. */
export const partMark = "data-part"
export const textMark = "data-text"

/** Whether words of a part are selected, and a comment on them can begin. */
export function hasSelectedText(): boolean {
  const selection = window.getSelection()
  if (selection === null || selection.isCollapsed || selection.toString().trim() === "") return false
  const { anchorNode } = selection
  const element = anchorNode instanceof Element ? anchorNode : anchorNode?.parentElement
  return element?.closest(`[${partMark}]`) != null
}
