import { writVerbs } from "./parse-writs.ts"

/** What one command came to. */
export interface WritResult {
  /** The command as it was given, e.g. `/todo list`; null for a remark about all of them. */
  command: string | null
  body: string
}

/** What stands in the place of results while commands are carried out. */
export const runningWrits = "The commands above are being carried out."

const head = new RegExp(`^\\[(/(${writVerbs.join("|")})(?: .*)?)\\]$`)
const lastLine = "[END TOOL RESULTS]"
const remark = /^\[(TOOL RESULTS TRUNCATED: .*)\]$/

/** Reads results of writs from the form in which models get them; null for any other text. */
export function readWritResults(text: string): WritResult[] | null {
  if (!text.startsWith("[") || !text.trimEnd().endsWith(lastLine)) return null
  const lines = text.trimEnd().split("\n")
  const results: WritResult[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ""
    if (line === lastLine) continue
    const [, said] = remark.exec(line) ?? []
    if (said !== undefined) {
      results.push({ command: null, body: said })
      continue
    }
    const [, command, verb = ""] = head.exec(line) ?? []
    const end = endOf(lines, at, verb)
    if (command === undefined || end < 0) return null
    results.push({ command, body: lines.slice(at + 1, end).join("\n") })
    at = end
  }
  return results
}

/** What one child of `/parallel` came to. */
interface ChildResult {
  agent: string
  body: string
}

const childHead = /^\[child (\d+)\/(\d+) — \/agent (.+)\]$/

/** Reads the body of a `/parallel` result as its children; null when it is not of that form. */
export function readChildResults(body: string): ChildResult[] | null {
  const lines = body.split("\n")
  const children: ChildResult[] = []
  for (let at = 0; at < lines.length; at++) {
    const number = children.length + 1
    const [, index, , agent] = childHead.exec(lines[at] ?? "") ?? []
    const last = (line: string, place: number) =>
      place > at && line === `[END CHILD ${number}]` && isNextChild(lines[place + 1], number + 1)
    const end = lines.findIndex(last)
    if (agent === undefined || Number(index) !== number || end < 0) return null
    children.push({ agent, body: lines.slice(at + 1, end).join("\n") })
    at = end
  }
  return children
}

/** Whether a line after a child's last one begins the next child, or there is none. */
function isNextChild(line: string | undefined, number: number): boolean {
  return line === undefined || Number(childHead.exec(line)?.[1]) === number
}

/** Where the body ends that begins at `from`. A subagent may say the same words: what follows them then is no result. */
function endOf(lines: string[], from: number, verb: string): number {
  const closing = `[END ${verb.toUpperCase()}]`
  return lines.findIndex((line, at) => at > from && line === closing && isBetween(lines[at + 1] ?? lastLine))
}

function isBetween(line: string): boolean {
  return line === lastLine || head.test(line) || remark.test(line)
}

/** Results of writs as plain text for people; any other text as it is. */
export function plainWritResults(text: string): string {
  const results = readWritResults(text)
  if (results === null) return text
  return results.map(({ command, body }) => (command === null ? body : `${command}\n${body}`)).join("\n\n")
}
