import { basename } from "node:path"
import { noticeOf } from "../../ground/message/notice-of.ts"
import { withoutReason } from "../../ground/message/rejection.ts"
import { rowTexts, withTexts } from "../../ground/redact/index.ts"
import type {
  AssistantMessage,
  Caller,
  Message,
  Part,
  Session,
  Share,
  TaskSummary,
  TextPart,
  Todo,
  ToolPart,
} from "../../ground/schema/index.ts"
import { todoTools } from "../../ground/schema/tool-metadata.ts"

/** What stands in the place of a session that is left out: that there is one. */
export interface LockedSession {
  id: string
  parentID: string
}

/** What a row of a copy is made of. */
export type ShareSource =
  | { kind: "session"; value: Session }
  | { kind: "locked"; value: LockedSession }
  | { kind: "message"; value: Message }
  | { kind: "part"; value: Part }
  | { kind: "todos"; sessionID: string; value: Todo[] }
  | { kind: "task"; value: TaskSummary }

/** The row without what concerns only its owner; null when the share does not show it. Secrets are still in it. */
export function publicRow(source: ShareSource, share: Share): object | null {
  switch (source.kind) {
    case "session":
      return publicSession(source.value, share)
    case "locked":
      return source.value
    case "message":
      return source.value.role === "user" ? withoutCaller(source.value) : publicAnswer(source.value)
    case "part":
      return publicPart(withoutReview(source.value), share.shows)
    case "todos":
      return { sessionID: source.sessionID, todos: source.value.map(({ plan: _plan, ...todo }) => todo) }
    case "task":
      return publicTask(source.value)
  }
}

/** Without who stopped it. */
function publicAnswer(message: AssistantMessage): AssistantMessage {
  return message.error === null ? message : { ...message, error: withoutCaller(message.error) }
}

/** Without paths of the owner's disk, how much of it was changed, for whom it worked, and who allowed what. */
function publicTask({ size: _size, cause: _cause, ...task }: TaskSummary): TaskSummary {
  const moments = task.moments?.map(({ kind, from, until }) => ({ kind, from, until }))
  const error = task.error && withoutCaller({ ...task.error, message: withoutReason(task.error.message) })
  return withoutCaller({ ...task, error, ...(moments && { moments }), resultPath: null, worktree: null })
}

/** Without the rules, who has read it, what its agent is told, and where the project lies on the disk. */
function publicSession(session: Session, share: Share): Session {
  const { read: _read, notes: _notes, stop: _stop, writtenBy: _writtenBy, imported: _imported, ...known } = session
  const { plan: _plan, preset: _preset, visibility: _visibility, ...rest } = known
  const title = session.id === share.rootID ? (share.title ?? session.title) : session.title
  return withoutCaller({ ...rest, title, directory: basename(session.directory), permission: [], revert: null })
}

function publicPart(part: Part, shows: Share["shows"]): Part | null {
  switch (part.type) {
    case "reasoning":
      return shows.reasoning ? withoutProvider(part) : null
    case "file":
      return shows.files ? part : null
    case "tool":
      return withoutProvider(withoutFiles(withoutAnswerer(shows.outputs ? withCutMark(part) : withoutOutput(part))))
    case "text":
      // What a command came to holds what others put out.
      return !shows.outputs && comesOfCommand(part) ? null : withoutProvider(part)
    case "subtask":
      return shows.outputs || part.command === undefined ? part : { ...part, prompt: hiddenBrief }
    default:
      return part
  }
}

/** In the place of the brief of a task that a command's prompt began. */
const hiddenBrief = "What the command came to is not shared."

function comesOfCommand(part: TextPart): boolean {
  return part.command !== undefined || noticeOf(part)?.kind === "command"
}

/** What a provider wants back is no word of the work, and may hold anything. */
function withoutProvider<T extends { providerMetadata?: unknown }>(part: T): T {
  const { providerMetadata: _, ...rest } = part
  // It may be left out of whatever may have it.
  return rest as T
}

/** A call without who gave leave for it and what it notes, a question or a plan without who answered it. */
function withoutAnswerer(part: ToolPart): ToolPart {
  const { state } = part
  if (state.status === "pending") return part
  const { leave: _leave, writing: _writing, ...metadata } = state.metadata
  if ((part.tool === "question" || part.tool === "plan_exit") && state.status === "completed") {
    delete metadata.by
    delete metadata.byName
  }
  return { ...part, state: { ...state, metadata } }
}

/** The call without what it put out; todo lists, tasks and what was asked and answered are the work itself. */
function withoutOutput(part: ToolPart): ToolPart {
  if (part.tool === "task") return withoutBrief(part)
  if (part.tool === "question" || todoTools.includes(part.tool)) return part
  const { state } = part
  switch (state.status) {
    case "pending":
      return part
    case "running":
    case "error":
      return { ...part, state: { ...state, metadata: {} } }
    case "completed":
      return { ...part, state: { ...state, output: "", metadata: {} } }
  }
}

/** A task is shown with its brief, unless a command put that together. */
function withoutBrief(part: ToolPart): ToolPart {
  const { state } = part
  const { command, ...given }: { command?: unknown } = Object(state.input)
  if (command === undefined) return part
  const input = { ...given, command, prompt: hiddenBrief }
  return { ...part, state: state.status === "pending" ? { ...state, input, raw: "" } : { ...state, input } }
}

/** The call without what it returned beside its text: no picture can be searched for secrets. */
function withoutFiles(part: ToolPart): ToolPart {
  if (part.state.status !== "completed") return part
  const { attachments: _, ...state } = part.state
  return { ...part, state }
}

/** Who did it is none of a reader's business. */
function withoutCaller<T extends { by?: Caller | undefined }>(value: T): T {
  const { by: _, ...rest } = value
  // `by` may be left out of whatever may have one.
  return rest as T
}

const hidden = "People commented on this work. What they said is not shown here."

/** The part without what people said in a review: their words are for the agents and for each other. */
function withoutReview(part: Part): Part {
  const notice = noticeOf(part)
  if (part.type === "text" && notice?.kind === "review") {
    return { ...part, text: hidden, notice: { kind: "remark", text: hidden } }
  }
  return notice?.kind === "tasks-ended" || part.type === "tool" ? withoutReasons(part) : part
}

/** The part without the reasons for which work of tasks was rejected. */
function withoutReasons(part: Part): Part {
  const told = rowTexts(part).flatMap((at) => {
    const text = withoutReason(at.text)
    return text === at.text ? [] : [[at, text] as const]
  })
  // Only strings are others than before.
  return withTexts(part, new Map(told)) as Part
}

/** From this length on, what a card shows of an output is its end, which may begin within a word (UTF-16 units). */
const cutLength = 29_900

/** The call with an ellipsis before an output that begins where it was cut: only so is it scanned as what it is. */
function withCutMark(part: ToolPart): ToolPart {
  const { state } = part
  if (state.status === "pending") return part
  const { output } = state.metadata
  if (typeof output !== "string" || output.length < cutLength || output.startsWith("…")) return part
  return { ...part, state: { ...state, metadata: { ...state.metadata, output: `…${output}` } } }
}
