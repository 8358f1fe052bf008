import { visibleText } from "../../ground/rule/visible-text.ts"
import type { ConfigEntry, ConfigEntryKind, ConfigProblem, ConfigReport } from "./config-report.ts"

/** A problem of a configuration as one line for a terminal: place and message. */
export function problemLine({ file, line, column, message }: ConfigProblem): string {
  return oneLine(`${[file, line, column].filter((part) => part !== null).join(":")}: ${message}`)
}

/** The problems of a configuration, one line each. Everything that waits for trust is one line with a count. */
export function problemLines({ problems, trust }: Pick<ConfigReport, "problems" | "trust">): string[] {
  const { directory, state } = trust
  const lines = problems.filter(({ waits }) => !waits).map(problemLine)
  const count = problems.length - lines.length
  if (count === 0 || directory === null) return lines
  const why =
    state === "changed" ? "it has changed since you trusted it" : `you do not trust ${count === 1 ? "it" : "them"}`
  const what = `${directory}: ${notCounting(count, "it")}, because ${why}.`
  return [...lines, oneLine(`${what} docket trust shows each and asks; --trust lets all count.`)]
}

/** "3 things that it brings do not count". */
export function notCounting(count: number, whose: string): string {
  return count === 1
    ? `1 thing that ${whose} brings does not count`
    : `${count} things that ${whose} brings do not count`
}

/** Kinds of entries that are a file as a whole, with the word for such a file. */
const wholeFiles: Partial<Record<ConfigEntryKind, string>> = {
  command: "command",
  skill: "skill",
  "instruction-file": "instructions",
  tool: "tool",
  "mcp-server": "MCP server",
  plugin: "plugin",
  hook: "hooks of",
}

/** A setting of a configuration as one line for a terminal. */
export function entryLine({ path, value, note, kind }: ConfigEntry): string {
  const [section, name] = path
  const what =
    section === kind && path.length === 2 && kind in wholeFiles ? `${wholeFiles[kind]} ${name}:` : `${path.join(".")} =`
  return oneLine(`${what} ${value}${note === null ? "" : ` (${note})`}`)
}

/** Keys, values and names of files are a stranger's words: they move no cursor and begin no line of their own. */
function oneLine(text: string): string {
  return visibleText(text.replace(/\s+/g, " ").trim())
}
