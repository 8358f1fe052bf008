import type { ToolPart } from "@docket/core/schema"
import { formatCount } from "../../ui/format-count.ts"
import { taskStateLabel } from "../task/task-state.ts"
import { type ChecklistItem, todoProgress } from "../todo/checklist-item.ts"
import { type FileChange, readFileChange } from "./read-file-change.ts"
import { type FileHit, readFileHits } from "./read-file-hits.ts"
import { asRecord, type JsonRecord, readBoolean, readList, readNumber, readString } from "./read-record.ts"
import { readTask, type TaskView } from "./read-task.ts"
import { readTaskRefs, type TaskRef } from "./read-task-refs.ts"
import { readTodos } from "./read-todos.ts"

/** What the opened card shows. */
export type ToolBody =
  | { kind: "none" }
  | { kind: "text"; text: string; language: string | null }
  | { kind: "files"; hits: FileHit[]; truncated: boolean }
  | { kind: "diff"; change: FileChange }
  | { kind: "terminal"; command: string; output: string; exitCode: number | null; truncated: boolean }
  | { kind: "todos"; todos: ChecklistItem[] }
  | { kind: "task"; task: TaskView }
  /** Tasks that a call speaks of, and what it said or was told. */
  | { kind: "tasks"; tasks: TaskRef[]; text: string | null }
  | { kind: "json"; input: unknown; output: string | null }

export type ToolStatus = "pending" | "running" | "waiting" | "completed" | "error"

/** A tool call, ready to draw: the 28 px header and the body behind it. */
export interface ToolView {
  tool: string
  status: ToolStatus
  title: string
  /** Right-hand figures of the header. */
  facts: string[]
  /** The call itself worked, but what it ran did not: an exit code, a signal, a time-out. */
  alarm: string | null
  additions: number | null
  deletions: number | null
  error: string | null
  /** Epoch ms; `end` is null while it runs. */
  time: { start: number; end: number | null } | null
  body: ToolBody
  /** Shown without a click: checklists, tasks and failures. */
  open: boolean
}

/** Reads a tool part for drawing. Never throws, whatever the metadata holds. `waiting`: a permission request is open for it. */
export function toolView(part: ToolPart, waiting = false): ToolView {
  const { state } = part
  const metadata: JsonRecord = state.status === "pending" ? {} : state.metadata
  const input = asRecord(state.input)
  const status = waiting && state.status === "running" ? "waiting" : state.status
  const body = toolBody(part, metadata, input)
  const change = body.kind === "diff" ? body.change : null
  return {
    tool: part.tool,
    status,
    title: toolTitle(part, metadata, input),
    facts: toolFacts(part.tool, body, metadata),
    alarm: body.kind === "terminal" ? commandAlarm(body.exitCode, metadata) : null,
    additions: change?.additions ?? null,
    deletions: change?.deletions ?? null,
    error: body.kind === "task" ? body.task.error : state.status === "error" ? state.error : null,
    time:
      state.status === "pending" ? null : { start: state.time.start, end: "end" in state.time ? state.time.end : null },
    body,
    open: body.kind === "todos" || body.kind === "task" || state.status === "error",
  }
}

function toolTitle(part: ToolPart, metadata: JsonRecord, input: JsonRecord): string {
  const { state } = part
  if (state.status === "pending")
    return readString(input, "filePath", "command", "pattern", "path", "description") ?? ""
  // The list below and its count say more than "3 todos".
  if (part.tool === "todowrite" || part.tool === "todoread") return ""
  if (part.tool === "todoupdate") return state.title ?? ""
  if (part.tool === "async_task_gather" && state.status === "running") return gatherTitle(input)
  if (part.tool === "bash") return readString(input, "command") ?? state.title ?? ""
  return (
    (state.title || null) ??
    readString(metadata, "title") ??
    readString(input, "filePath", "pattern", "path", "description") ??
    ""
  )
}

/** What a gathering call waits for: "any of 3 tasks". */
function gatherTitle(input: JsonRecord): string {
  const tasks = formatCount(readList(input, "task_ids")?.length ?? 0, "task")
  const until = readString(input, "until") ?? readNumber(input, "until") ?? "all"
  return until === "all" ? `waits for ${tasks}` : `waits for ${until} of ${tasks}`
}

function toolBody(part: ToolPart, metadata: JsonRecord, input: JsonRecord): ToolBody {
  const { state } = part
  const output = state.status === "completed" ? state.output : null
  switch (part.tool) {
    case "task":
    case "async_task":
      return { kind: "task", task: readTask(part) }
    case "async_task_result":
    case "async_task_gather":
    case "async_task_cancel":
      return { kind: "tasks", tasks: readTaskRefs(metadata), text: output }
    case "task_message":
      return { kind: "tasks", tasks: readTaskRefs(metadata), text: readString(input, "message") }
    case "todowrite":
    case "todoupdate":
    case "todoread": {
      const todos = readTodos(metadata, input)
      return todos === null ? { kind: "none" } : { kind: "todos", todos }
    }
    case "bash":
      return {
        kind: "terminal",
        command: readString(input, "command") ?? "",
        output: readString(metadata, "output") ?? output ?? "",
        exitCode: readNumber(metadata, "exit", "exitCode"),
        truncated: readBoolean(metadata, "truncated"),
      }
    case "edit":
    case "write": {
      const change = readFileChange(part)
      if (change?.patch) return { kind: "diff", change }
      const text = readString(input, "newString", "content")
      return text === null ? { kind: "none" } : { kind: "text", text, language: languageOf(change?.path ?? "") }
    }
    case "glob":
    case "grep":
      return output === null
        ? { kind: "none" }
        : { kind: "files", hits: readFileHits(metadata), truncated: readBoolean(metadata, "truncated") }
    case "list":
      return output === null ? { kind: "none" } : { kind: "text", text: output, language: null }
    case "read": {
      const path = readString(metadata, "file", "path") ?? readString(input, "filePath", "path") ?? ""
      const language = metadata.kind === "directory" ? null : languageOf(path)
      return output === null ? { kind: "none" } : { kind: "text", text: readText(output), language }
    }
    default:
      return { kind: "json", input: state.input, output }
  }
}

function toolFacts(tool: string, body: ToolBody, metadata: JsonRecord): string[] {
  switch (body.kind) {
    case "files": {
      const files = new Set(body.hits.map((hit) => hit.path)).size
      const more = body.truncated ? "+" : ""
      if (tool !== "grep") return [`${formatCount(readNumber(metadata, "count") ?? files, "file")}${more}`]
      if (body.hits.length === 0) return ["no matches"]
      return [`${formatCount(body.hits.length, "match", "matches")}${more}`, formatCount(files, "file")]
    }
    case "text":
      return readFacts(metadata)
    case "diff":
      return readBoolean(metadata, "created") ? ["new file"] : []
    case "todos": {
      const { done, total } = todoProgress(body.todos)
      return body.todos.length === 0 ? ["cleared"] : [`${done} of ${total}`]
    }
    case "tasks":
      return taskFacts(tool, body.tasks)
    default:
      return []
  }
}

function commandAlarm(exitCode: number | null, metadata: JsonRecord): string | null {
  if (readBoolean(metadata, "timedOut")) return "timed out"
  const signal = readString(metadata, "signal")
  if (signal !== null) return signal
  return exitCode === null || exitCode === 0 ? null : `exit ${exitCode}`
}

/** How the one task stands; several say it in the title. */
function taskFacts(tool: string, tasks: readonly TaskRef[]): string[] {
  const [task, second] = tasks
  if (task === undefined || second !== undefined || tool === "task_message") return []
  return [taskStateLabel[task.state].toLowerCase()]
}

function readFacts(metadata: JsonRecord): string[] {
  const count = readNumber(metadata, "count")
  if (count !== null) return [formatCount(count, "entry", "entries")]
  const from = readNumber(metadata, "startLine")
  const to = readNumber(metadata, "endLine")
  const total = readNumber(metadata, "totalLines")
  if (from === null || to === null) return []
  return from === 1 && to === total
    ? [formatCount(to, "line")]
    : [`lines ${from}–${to}${total === null ? "" : ` of ${total}`}`]
}

/** The file's text out of a read result: without its `<file>` frame and line numbers. */
function readText(output: string): string {
  return output
    .replace(/^<(file|content)>\n?/, "")
    .replace(/\n?<\/(file|content)>[\s\S]*$/, "")
    .replace(/^ *\d+[|\t→:] ?/gm, "")
    .replace(/\n?\((Lines \d|End of file|The file is empty)[^\n]*\)\s*$/, "")
}

/** The file's extension, which Shiki knows as a language or an alias of one. */
export function languageOf(path: string): string | null {
  return /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? null
}
