import { visibleText } from "../rule/visible-text.ts"
import type { ConfigEntry, ConfigEntryKind, ConfigProblem } from "./config-report.ts"

/** A problem of a configuration as one line for a terminal: where it is, and what. */
export function problemLine({ file, line, column, message }: ConfigProblem): string {
  return oneLine(`${[file, line, column].filter((part) => part !== null).join(":")}: ${message}`)
}

/** What a configuration sets as one line for a terminal. */
export function entryLine({ path, value, note, kind }: ConfigEntry): string {
  const [section, name] = path
  const what =
    section === kind && path.length === 2 && kind in wholeFiles ? `${wholeFiles[kind]} ${name}:` : `${path.join(".")} =`
  return oneLine(`${what} ${value}${note === null ? "" : ` (${note})`}`)
}

/** Files that are one thing each, and how they are called. */
const wholeFiles: Partial<Record<ConfigEntryKind, string>> = {
  command: "command",
  skill: "skill",
  "instruction-file": "instructions",
}

/** Keys, values and names of files are a stranger's words: they move no cursor and begin no line of their own. */
function oneLine(text: string): string {
  return visibleText(text.replace(/\s+/g, " ").trim())
}
