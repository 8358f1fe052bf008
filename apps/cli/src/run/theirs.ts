import { visibleText } from "@docket/core/rule"

/** Puts a bar before each line that an agent wrote, so that it cannot look like a line of Docket. */
export function theirs(text: string): string {
  return visibleText(text).replace(/^/gm, "  │ ")
}
