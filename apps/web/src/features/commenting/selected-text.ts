/** Attributes that mark the drawn text of a part, and which text of the part it is. */
export const partAttribute = "data-part"
export const textAttribute = "data-text"

/** Whether text of a part is selected, so that a comment can start. */
export function hasSelectedText(): boolean {
  const selection = window.getSelection()
  if (selection === null || selection.isCollapsed || selection.toString().trim() === "") return false
  const { anchorNode } = selection
  const element = anchorNode instanceof Element ? anchorNode : anchorNode?.parentElement
  return element?.closest(`[${partAttribute}]`) != null
}
