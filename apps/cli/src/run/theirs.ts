import { visibleText } from "@docket/core/rule"

/** What an agent wrote, each line behind a bar: none of them passes for a line of Docket's own. */
export function theirs(text: string): string {
  return visibleText(text).replace(/^/gm, "  │ ")
}
