/** What a key press in the prompt field means. */
export type ComposerAction =
  | "send"
  | "older"
  | "newer"
  | "switch-agent"
  | "stop"
  | "arm"
  | "pick"
  | "next-option"
  | "previous-option"
  | "close-list"
  | null

export interface ComposerKey {
  key: string
  shift: boolean
  modifier: boolean
  composing: boolean
  /** Touch keyboard: Enter inserts a line break, and the button sends. */
  touch: boolean
  listOpen: boolean
  /** Something is chosen in the list; otherwise Enter does not pick. */
  choosing: boolean
  /** Text before and after the caret, null while something is selected. */
  around: { before: string; after: string } | null
  /** The field shows an earlier prompt of the history. */
  browsing: boolean
  /** Esc was the last key: Tab now leaves the field, and a second Esc stops the agent. */
  armed: boolean
  /** An agent works and can be stopped. */
  busy: boolean
}

function inList({ key, choosing }: ComposerKey): ComposerAction {
  if (key === "ArrowDown") return "next-option"
  if (key === "ArrowUp") return "previous-option"
  if (key === "Tab" || (key === "Enter" && choosing)) return "pick"
  return key === "Escape" ? "close-list" : null
}

/** Decides what a key does; null leaves the key to the browser. */
export function composerAction(press: ComposerKey): ComposerAction {
  if (press.composing || press.modifier) return null
  if (press.listOpen && !press.shift) {
    const action = inList(press)
    if (action) return action
  }
  if (press.shift) return null
  switch (press.key) {
    case "Enter":
      return press.touch ? null : "send"
    case "ArrowUp":
      return press.around && !press.around.before.includes("\n") ? "older" : null
    case "ArrowDown":
      return press.browsing && press.around && !press.around.after.includes("\n") ? "newer" : null
    case "Tab":
      return press.armed ? null : "switch-agent"
    case "Escape":
      return press.armed && press.busy ? "stop" : "arm"
    default:
      return null
  }
}
