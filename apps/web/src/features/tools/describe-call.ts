import { callAlarm } from "@docket/core/call-status"
import type { ToolPart } from "@docket/core/schema"
import { type MetadataOf, readToolCall } from "@docket/core/tool-metadata"
import { formatCount } from "../../ui/format-count.ts"
import { taskStateLabel } from "../task/task-state.ts"
import { todoProgress } from "../todo/checklist-item.ts"
import { answeredQuestions } from "./answered-questions.ts"
import { listArgument, numberArgument, textArgument } from "./arguments.ts"
import type { CallView, Fact, LeftFile, ReferredTask } from "./call-view.ts"
import { type FileChange, readChanges, readFileChange } from "./read-file-change.ts"
import { readTask } from "./read-task.ts"
import { shownSkill } from "./shown-skill.ts"
import { shownText } from "./shown-text.ts"
import { isFirstPlan, todoLabel } from "./todo-label.ts"
import { writtenTodos } from "./written-todos.ts"

/** Title and content of a call's card, depending on its tool. */
export function describeCall(part: ToolPart): CallView {
  const call = readToolCall(part)
  switch (call.tool) {
    case "bash":
      return describeBash(part, call.metadata)
    case "read":
      return describeRead(part, call.metadata)
    case "edit":
      return describeChange(part, textArgument(part, "newString"))
    case "multiedit":
      return describeChange(part, null)
    case "write":
      return describeChange(part, textArgument(part, "content"))
    case "apply_patch":
      return describePatch(part)
    case "webfetch":
      return { title: title(part, "url"), body: { kind: "text", text: outputOf(part) ?? "", language: "md" } }
    case "websearch":
      return {
        title: title(part, "query"),
        body: { kind: "text", text: outputOf(part) ?? "", language: "md" },
        ...(call.metadata && { facts: [formatCount(call.metadata.results.length, "result")] }),
      }
    case "batch":
      // Its calls have cards of their own below it.
      return { title: title(part), body: { kind: "none" } }
    case "glob":
      return describeGlob(part, call.metadata)
    case "grep":
      return describeGrep(part, call.metadata)
    case "list":
      return describeList(part, call.metadata)
    case "lsp":
      return describeLsp(part, call.metadata)
    case "todowrite":
    case "todoread":
      // The changes and the count say more than "3 todos".
      return { ...describeTodos(part, call.metadata), title: todoLabel(call.metadata?.changed ?? []) }
    case "todoupdate":
      return describeTodos(part, call.metadata)
    case "task":
    case "async_task":
      return { title: title(part, "description"), body: { kind: "task", task: readTask(part) } }
    case "async_task_result":
    case "async_task_cancel":
      return describeTasks(part, call.metadata?.tasks)
    case "async_task_gather":
      return { ...describeTasks(part, call.metadata?.tasks), ...(part.state.status === "running" && gathering(part)) }
    case "task_message": {
      const tasks = call.metadata?.tasks ?? []
      return { title: title(part), body: { kind: "tasks", tasks, text: textArgument(part, "message") } }
    }
    case "plan_exit":
      return describePlan(part, call.metadata)
    case "plan_enter":
      return { title: title(part, "reason"), body: textBody(outputOf(part)) }
    case "skill":
      return describeSkill(part, call.metadata)
    case "question":
      return describeQuestion(part, call.metadata)
    default:
      return { title: title(part), body: { kind: "json", input: part.state.input, output: outputOf(part) } }
  }
}

/** The title from the tool, or else the most useful argument, which may still be incomplete. */
function title(part: ToolPart, argument?: string): string {
  const { state } = part
  const own = state.status === "pending" ? null : state.title || null
  return own ?? (argument === undefined ? null : textArgument(part, argument)) ?? ""
}

function outputOf({ state }: ToolPart): string | null {
  return state.status === "completed" ? state.output : null
}

function describeBash(part: ToolPart, metadata: MetadataOf<"bash"> | null): CallView {
  const command = textArgument(part, "command") ?? ""
  const said = textArgument(part, "description")?.trim() || null
  const exitCode = metadata?.exit ?? null
  const output = metadata?.output || outputOf(part) || ""
  return {
    title: said ?? (command || title(part)),
    ...(said !== null && command !== "" && { detail: command }),
    body: {
      kind: "terminal",
      command,
      output,
      exitCode,
      truncated: metadata?.truncated ?? false,
      savedPart: metadata?.outputPath ? part.id : null,
      sessionID: part.sessionID,
      left: leftFiles(metadata?.leftBehind ?? []),
    },
    ...commandFacts(metadata),
    alarm: callAlarm(part),
  }
}

function commandFacts(metadata: MetadataOf<"bash"> | null): Pick<CallView, "facts"> {
  const { closed = [], leftBehind = [] } = metadata ?? {}
  const facts = [...(closed.length > 0 ? [`no leave to read: ${closed.join(", ")}`] : []), ...leftFacts(leftBehind)]
  return facts.length > 0 ? { facts } : {}
}

const leftWords = {
  "switched-off": "switched off",
  "moved-aside": "moved aside",
  "still-there": "still there, not to be started",
  "not-looked-at": "not looked at",
} as const

/** Files that a user may allow. Files of older calls and files that are too large have no id. */
function leftFiles(left: NonNullable<MetadataOf<"bash">["leftBehind"]>): LeftFile[] {
  return left.flatMap(({ id, kind, path, what, aside = null }) => {
    const names = what.length > 0 ? ` (${what.join(", ")})` : ""
    return id === undefined ? [] : [{ id, path, words: `${leftWords[kind]}${names}`, aside }]
  })
}

/** Files left by the command that do not take effect, as many as fit into a header. */
function leftFacts(left: NonNullable<MetadataOf<"bash">["leftBehind"]>): string[] {
  const room = 3
  const named = left.slice(0, room).map(({ kind, path, what }) => {
    const names = what.length > 0 ? ` (${what.join(", ")})` : ""
    return `${leftWords[kind]}: ${path}${names}`
  })
  return left.length > room ? [...named, `${left.length - room} more in the result`] : named
}

function describeRead(part: ToolPart, metadata: MetadataOf<"read"> | null): CallView {
  if (metadata?.kind === "media")
    return { title: title(part, "filePath"), body: { kind: "none" }, facts: mediaFacts(part) }
  const output = outputOf(part)
  const path = metadata?.file ?? textArgument(part, "filePath") ?? ""
  const language = metadata?.kind === "directory" ? null : languageOf(path)
  return {
    title: title(part, "filePath"),
    body: output === null ? { kind: "none" } : { kind: "text", text: shownText(output), language },
    ...(output !== null && metadata !== null && { facts: [linesLabel(metadata)] }),
  }
}

/** The size of a picture, or the pages of a PDF. */
function mediaFacts({ state }: ToolPart): string[] {
  const [file] = state.status === "completed" ? (state.attachments ?? []) : []
  if (file?.pages !== undefined) return [formatCount(file.pages, "page")]
  return file?.width === undefined || file.height === undefined ? [] : [`${file.width} × ${file.height}`]
}

function linesLabel({ startLine, endLine, totalLines }: MetadataOf<"read">): string {
  if (startLine === 1 && endLine === totalLines) return formatCount(endLine, "line")
  return `lines ${startLine}–${endLine}${totalLines === null ? "" : ` of ${totalLines}`}`
}

/** `written`: the content from the model, shown until there is a diff, and when the diff was too large to store. */
function describeChange(part: ToolPart, written: string | null): CallView {
  const change = readFileChange(part)
  const shared = { title: title(part, "filePath") }
  const facts = [...(change?.created ? ["new file"] : []), ...waitFacts(part)]
  if (change !== null && change.additions === 0 && change.deletions === 0) {
    return { ...shared, body: { kind: "none" }, facts: change.created ? facts : ["unchanged"] }
  }
  if (change !== null && change.patch !== null) return { ...shared, body: { kind: "diff", change }, facts }
  if (written === null) return { ...shared, body: { kind: "none" } }
  const language = languageOf(change?.path ?? textArgument(part, "filePath") ?? "")
  return { ...shared, body: { kind: "text", text: written, language } }
}

function describePatch(part: ToolPart): CallView {
  const changes = readChanges(part)
  const [first] = changes
  const patch = textArgument(part, "patchText")
  if (first === undefined) {
    return {
      title: title(part),
      body: patch === null ? { kind: "none" } : { kind: "text", text: patch, language: "diff" },
    }
  }
  if (changes.length === 1) return { ...describeChange(part, patch), title: movedTitle(first) }
  const left = changes.filter(({ patch }) => patch === null).map(movedTitle)
  return {
    title: changes.map(movedTitle).join(", "),
    body: { kind: "diffs", changes },
    facts: [formatCount(changes.length, "file"), ...(left.length > 0 ? [`not shown: ${left.join(", ")}`] : [])],
  }
}

function movedTitle({ path, movedFrom }: FileChange): string {
  return movedFrom === null ? path : `${movedFrom} → ${path}`
}

/** The language servers that a running call waits for. */
function waitFacts(part: ToolPart): string[] {
  const call = readToolCall(part)
  if (part.state.status !== "running" || (call.tool !== "edit" && call.tool !== "write")) return []
  const { waitsFor = [] } = call.metadata ?? {}
  return waitsFor.length === 0 ? [] : [`${waitsFor.join(", ")} checks it`]
}

function describeLsp(part: ToolPart, metadata: MetadataOf<"lsp"> | null): CallView {
  const output = outputOf(part)
  const isHover = metadata?.operation === "hover"
  return {
    title: title(part, "filePath"),
    body: output === null ? { kind: "none" } : { kind: "text", text: shownText(output), language: null },
    ...(output !== null && metadata !== null && !isHover && { facts: [formatCount(metadata.count, "place")] }),
  }
}

function describeGlob(part: ToolPart, metadata: MetadataOf<"glob"> | null): CallView {
  const shared = { title: title(part, "pattern") }
  if (outputOf(part) === null || metadata === null) return { ...shared, body: { kind: "none" } }
  const { files, count, truncated } = metadata
  const hits = files.map((path) => ({ path, line: null, text: null }))
  return {
    ...shared,
    body: { kind: "files", hits, truncated },
    facts: [`${formatCount(count, "file")}${truncated ? "+" : ""}`],
  }
}

function describeGrep(part: ToolPart, metadata: MetadataOf<"grep"> | null): CallView {
  const shared = { title: title(part, "pattern") }
  if (outputOf(part) === null || metadata === null) return { ...shared, body: { kind: "none" } }
  const { files, truncated } = metadata
  const hits = files.flatMap(({ file, lines }) => lines.map(({ line, text }) => ({ path: file, line, text })))
  const matches = `${formatCount(hits.length, "match", "matches")}${truncated ? "+" : ""}`
  return {
    ...shared,
    body: { kind: "files", hits, truncated },
    facts: hits.length === 0 ? ["no matches"] : [matches, formatCount(files.length, "file")],
  }
}

function describeList(part: ToolPart, metadata: MetadataOf<"list"> | null): CallView {
  const text = outputOf(part)
  return {
    title: title(part, "path"),
    body: text === null ? { kind: "none" } : { kind: "text", text, language: null },
    ...(text !== null && metadata !== null && { facts: [formatCount(metadata.count, "entry", "entries")] }),
  }
}

/** A line that opens to the text that the model received. */
function describeSkill(part: ToolPart, metadata: MetadataOf<"skill"> | null): CallView {
  const text = outputOf(part)
  return {
    title: title(part, "name"),
    body: text === null ? { kind: "none" } : { kind: "text", text: shownSkill(text), language: "md" },
    ...(text !== null &&
      metadata !== null && {
        facts: [
          metadata.from === "user" ? "yours" : "of the project",
          ...(metadata.files > 0 ? [formatCount(metadata.files, "file")] : []),
        ],
      }),
  }
}

function describeTodos(part: ToolPart, metadata: MetadataOf<"todowrite"> | null): CallView {
  const todos = metadata?.todos ?? writtenTodos(listArgument(part, "todos"))
  if (todos === null) return { title: title(part), body: { kind: "none" } }
  const { done, total } = todoProgress(todos)
  return {
    title: title(part),
    body: { kind: "todos", todos, planned: part.tool !== "todoupdate" && isFirstPlan(metadata?.changed) },
    facts: [todos.length === 0 ? "cleared" : `${done} of ${total}`],
  }
}

const decisions = {
  approved: "approved",
  approved_freely: "approved",
  sent_back: "sent back",
  closed: "closed",
} as const

function describePlan(part: ToolPart, metadata: MetadataOf<"plan_exit"> | null): CallView {
  const { text = "", decision, edited, comments = null, by, byName } = metadata ?? {}
  const approved = decision === "approved" || decision === "approved_freely"
  const place = { sessionID: part.sessionID, partID: part.id }
  return {
    title: title(part),
    body: text === "" ? { kind: "none" } : { kind: "plan", ...place, text, comments, approved },
    facts: [
      ...(edited ? ["edited"] : []),
      ...(decision === undefined ? [] : [doneBy(decisions[decision], { by, byName })]),
      ...(decision === "approved_freely" ? ["edits freely"] : []),
    ],
  }
}

function textBody(text: string | null): CallView["body"] {
  return text === null ? { kind: "none" } : { kind: "text", text, language: null }
}

function doneBy(did: string, { by, byName: name }: Pick<MetadataOf<"question">, "by" | "byName">): Fact {
  return by === undefined ? did : { did, by: { person: by, name } }
}

/** An answered question shows its answers. */
function describeQuestion(part: ToolPart, metadata: MetadataOf<"question"> | null): CallView {
  const { questions = [], answers, by, byName, message } = metadata ?? {}
  const words = answeredQuestions(questions, answers ?? null)
  const ended = part.state.status === "completed"
  const fact = doneBy(answers ? "answered" : "dismissed", { by, byName })
  return {
    title: answers ? words.map(({ header, answer }) => `${header}: ${answer}`).join(", ") : title(part),
    body:
      words.length === 0 ? { kind: "none" } : { kind: "questions", questions: words, message: message ?? null, ended },
    ...(ended && { facts: [fact] }),
  }
}

/** The state of a single task is a fact; several tasks have their states in the title. */
function describeTasks(part: ToolPart, tasks: readonly ReferredTask[] = []): CallView {
  const [task, second] = tasks
  return {
    title: title(part),
    body: { kind: "tasks", tasks, text: outputOf(part) },
    facts: task === undefined || second !== undefined ? [] : [taskStateLabel[task.state].toLowerCase()],
  }
}

/** What a `gather` call waits for: "any of 3 tasks". */
function gathering(part: ToolPart): { title: string } {
  const tasks = formatCount(listArgument(part, "task_ids")?.length ?? 0, "task")
  const until = textArgument(part, "until") ?? numberArgument(part, "until") ?? "all"
  return { title: until === "all" ? `waits for ${tasks}` : `waits for ${until} of ${tasks}` }
}

/** The file's extension: Shiki accepts it as a language or an alias. */
function languageOf(path: string): string | null {
  return /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? null
}
