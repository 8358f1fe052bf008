import { renderLines } from "../inline-command/render-result.ts"
import type {
  CommandLine,
  CommandResult,
  EndedTask,
  Notice,
  Part,
  Speaker,
  TaskState,
  TodoStatus,
} from "../schema/index.ts"

type CommandsNotice = Extract<Notice, { kind: "commands" }>

/** The notice of Docket in a part; null when somebody else wrote the part, or when it is no notice. */
export function noticeOf(part: Part): Notice | null {
  if (part.type !== "text" || part.synthetic !== true || part.addedBy !== undefined) return null
  return part.notice ?? readOlderNotice(part.text)
}

/** The notice in a part about inline commands (begun, ended or interrupted); null for all other parts. */
export function commandsOf(part: Part): CommandsNotice | null {
  const notice = noticeOf(part)
  return notice?.kind === "commands" ? notice : null
}

/** Results of commands as plain text for people; empty while there are none. */
export function plainResults({ results }: CommandsNotice): string {
  return results
    .map(({ command, lines }) => [...(command === null ? [] : [command]), renderLines(lines)].join("\n"))
    .join("\n\n")
}

/*
 * Rows of versions before notices were stored as data say the same in words only. The words are those of that time and
 * stay as they are here, whatever Docket says today.
 */

const mayHaveTakenEffect = "some of them may have taken effect. Look at how things stand before you repeat them."
const states = new Map<string, "running" | "stopped" | "interrupted">([
  ["The commands above are being carried out.", "running"],
  [`The commands above were stopped: ${mayHaveTakenEffect}`, "stopped"],
  [`Docket was stopped while the commands above were carried out: ${mayHaveTakenEffect}`, "interrupted"],
])

const subtasksDone = "Summarize the task output above and continue with your task."
const restarted = "<system-reminder>The Docket process was restarted while you worked."
const message = /^Message from the (?:user|agent (?<agent>\S+) that delegated this):\n/
const frame = /<\/?system-reminder>/g

const speaker = (agent: string | undefined): Speaker =>
  agent === undefined ? { kind: "person" } : { kind: "agent", name: agent }

/** Reads what a part without data says; null for words that are no notice. */
export function readOlderNotice(text: string): Notice | null {
  const state = states.get(text)
  if (state !== undefined) return { kind: "commands", state, results: [] }
  const results = readResults(text)
  if (results !== null) return { kind: "commands", state: "done", results }
  if (text === subtasksDone) return { kind: "subtasks-done" }
  const said = message.exec(text)
  if (said?.groups) return { kind: "message", from: speaker(said.groups.agent), text: text.slice(said[0].length) }
  if (text.startsWith(restarted)) return { kind: "restarted" }
  if (!text.startsWith("<system-reminder>")) return null
  const words = text.replace(frame, "").trim()
  const tasks = readEndedTasks(words)
  return tasks.length > 0 ? { kind: "tasks-ended", tasks } : { kind: "remark", text: words }
}

const resultHead = /^\[(\/(todo|mem|schedule|agent|parallel)(?: .*)?)\]$/
const lastLine = "[END TOOL RESULTS]"
const remark = /^\[(TOOL RESULTS TRUNCATED: .*)\]$/

function readResults(text: string): CommandResult[] | null {
  if (!text.startsWith("[") || !text.trimEnd().endsWith(lastLine)) return null
  const lines = text.trimEnd().split("\n")
  const results: CommandResult[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ""
    if (line === lastLine) continue
    const [, said] = remark.exec(line) ?? []
    if (said !== undefined) {
      results.push({ command: null, lines: [{ kind: "text", text: said }] })
      continue
    }
    const [, command, verb = ""] = resultHead.exec(line) ?? []
    const end = endOf(lines, at, verb)
    if (command === undefined || end < 0) return null
    results.push({ command, lines: readBody(command, lines.slice(at + 1, end).join("\n")) })
    at = end
  }
  return results
}

/**
 * Where the body ends that begins at `from`. A subagent may say the same words: what follows them then is no result.
 */
function endOf(lines: string[], from: number, verb: string): number {
  const closing = `[END ${verb.toUpperCase()}]`
  const isBetween = (line: string) => line === lastLine || resultHead.test(line) || remark.test(line)
  return lines.findIndex((line, at) => at > from && line === closing && isBetween(lines[at + 1] ?? lastLine))
}

function readBody(command: string, body: string): CommandLine[] {
  const [, agent] = /^\/agent (\S+)/.exec(command) ?? []
  if (agent !== undefined) return [readAnswer(agent, body)]
  return (command.startsWith("/parallel") ? readChildren(body) : null) ?? readLines(body)
}

function readAnswer(agent: string, body: string): CommandLine {
  const failed = body.startsWith("ERR: ")
  return { kind: "answer", agent, failed, text: failed ? body.slice(5) : body }
}

const childHead = /^\[child (\d+)\/(\d+) — \/agent (.+)\]$/

function readChildren(body: string): CommandLine[] | null {
  const lines = body.split("\n")
  const children: CommandLine[] = []
  for (let at = 0; at < lines.length; at++) {
    const number = children.length + 1
    const [, index, , agent] = childHead.exec(lines[at] ?? "") ?? []
    const isEnd = (line: string, place: number) =>
      place > at && line === `[END CHILD ${number}]` && isNextChild(lines[place + 1], number + 1)
    const end = lines.findIndex(isEnd)
    if (agent === undefined || Number(index) !== number || end < 0) return null
    children.push(readAnswer(agent, lines.slice(at + 1, end).join("\n")))
    at = end
  }
  return children
}

/** Whether the line after a child's end begins the next child, or is missing. */
function isNextChild(line: string | undefined, number: number): boolean {
  return line === undefined || Number(childHead.exec(line)?.[1]) === number
}

const todoLine = /^(?:▶ )?#(\d+) \[(pending|in_progress)\] (.*?)( \(tenant-wide\))?$/
const kindOfPrefix = { OK: "done", ERR: "failed", SKIPPED: "skipped" } as const

function readLines(body: string): CommandLine[] {
  const lines: CommandLine[] = []
  for (const line of body.split("\n")) {
    const [, number, status, content = "", everyone] = todoLine.exec(line) ?? []
    const [, prefix, said = ""] = /^(OK|ERR|SKIPPED): (.*)$/.exec(line) ?? []
    const changed = prefix === "OK" ? readStatus(said) : undefined
    const last = lines.at(-1)
    if (number !== undefined && (status === "pending" || status === "in_progress")) {
      lines.push({ kind: "todo", number: Number(number), status, content, everyone: everyone !== undefined })
    } else if (changed !== undefined) lines.push(changed)
    else if (prefix === "OK" || prefix === "ERR" || prefix === "SKIPPED")
      lines.push({ kind: kindOfPrefix[prefix], text: said })
    else if (last?.kind === "text") last.text += `\n${line}`
    else lines.push({ kind: "text", text: line })
  }
  return lines
}

const statuses = new Map<string, TodoStatus>([
  ["pending", "pending"],
  ["in_progress", "in_progress"],
  ["completed", "completed"],
  ["canceled", "cancelled"],
])

/** `completed — milk` */
function readStatus(said: string): CommandLine | undefined {
  const [, word = "", content = ""] = /^(\w+) — (.*)$/.exec(said) ?? []
  const status = statuses.get(word)
  return status && { kind: "status", status, content }
}

const taskHead = /^Task #(\d+) "(.*)" \(@(\S+)\):$/gm
const failures: readonly TaskState[] = ["failed", "cancelled", "timed_out", "interrupted"]

function readEndedTasks(words: string): EndedTask[] {
  const heads = words.includes("\ntask_id: ") ? [...words.matchAll(taskHead)] : []
  return heads.map((found, index) => {
    const [line, number = "", description = "", agent = ""] = found
    const answer = words.slice(found.index + line.length, heads[index + 1]?.index).trim()
    const field = (name: string) => new RegExp(`^${name}: (.+)$`, "m").exec(answer)?.[1] ?? null
    const result = /<(?:partial|task)_result>\n?([\s\S]*?)\n?<\/(?:partial|task)_result>/.exec(answer)?.[1]
    const error = field("error_type")
    return {
      number: Number(number),
      sessionID: field("task_id"),
      agent,
      description,
      state: error === null ? "completed" : (failures.find((state) => state === error) ?? "failed"),
      text: (result ?? answer.split("\n\n").at(1) ?? "").trim(),
    }
  })
}
