import { visibleText } from "../rule/visible-text.ts"
import type { ConfigEntry, ConfigProblem } from "./config-report.ts"

/** A problem of a configuration as one line for a terminal: where it is, and what. */
export function problemLine({ file, line, column, message }: ConfigProblem): string {
  return oneLine(`${[file, line, column].filter((part) => part !== null).join(":")}: ${message}`)
}

/** What a configuration sets as one line for a terminal. */
export function entryLine({ path, value, note }: ConfigEntry): string {
  return oneLine(`${path.join(".")} = ${value}${note === null ? "" : ` (${note})`}`)
}

/** Keys, values and names of files are a stranger's words: they move no cursor and begin no line of their own. */
function oneLine(text: string): string {
  return visibleText(text.replace(/\s+/g, " ").trim())
}
