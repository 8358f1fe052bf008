import { basename } from "node:path"
import { readDataUrl } from "../../ground/media/data-url.ts"
import { isPicture, isTextual, mediaTypeOf } from "../../ground/media/media-type.ts"
import { noticeOf } from "../../ground/message/notice-of.ts"
import { type NamedFile, withFiles } from "../../ground/message/part-files.ts"
import { withoutReason } from "../../ground/message/rejection.ts"
import { rowTexts, withTexts } from "../../ground/redact/index.ts"
import {
  type AssistantMessage,
  attachedHash,
  type Caller,
  leftOutAddress,
  type Message,
  type Part,
  type Session,
  type Share,
  type TaskSummary,
  type TextPart,
  type Todo,
  type ToolPart,
  type UserMessage,
} from "../../ground/schema/index.ts"
import { todoTools } from "../../ground/schema/tool-metadata.ts"

/** The placeholder for a session that is left out: it shows only that one exists. */
export interface LockedSession {
  id: string
  parentID: string
}

/** The source of a row in a share's copy. */
export type ShareSource =
  | { kind: "session"; value: Session }
  | { kind: "locked"; value: LockedSession }
  | { kind: "message"; value: Message }
  | { kind: "part"; value: Part }
  | { kind: "todos"; sessionID: string; value: Todo[] }
  | { kind: "task"; value: TaskSummary }

/**
 * The row without data that is only for its owner; null when the share does not show it. Secrets have not been removed
 * yet.
 */
export function publicRow(source: ShareSource, share: Share): object | null {
  switch (source.kind) {
    case "session":
      return publicSession(source.value, share)
    case "locked":
      return source.value
    case "message":
      return source.value.role === "user" ? publicPrompt(source.value) : publicAnswer(source.value)
    case "part":
      return publicPart(withoutReview(source.value), share.shows)
    case "todos":
      return { sessionID: source.sessionID, todos: source.value.map(({ plan: _plan, ...todo }) => todo) }
    case "task":
      return publicTask(source.value)
  }
}

/** Removes who wrote the prompt, and what a program told the model besides: no page shows it. */
function publicPrompt({ system: _system, ...message }: UserMessage): UserMessage {
  return withoutCaller(message)
}

/** Removes who stopped the answer, and its value for a program: readers see the text. */
function publicAnswer({ output: _output, ...message }: AssistantMessage): AssistantMessage {
  return message.error === null ? message : { ...message, error: withoutCaller(message.error) }
}

/** Removes paths on the owner's disk, the size of changes, who caused the task, and who allowed what. */
function publicTask({ size: _size, cause: _cause, ...task }: TaskSummary): TaskSummary {
  const moments = task.moments?.map(({ kind, from, until }) => ({ kind, from, until }))
  const error = task.error && withoutCaller({ ...task.error, message: withoutReason(task.error.message) })
  return withoutCaller({ ...task, error, ...(moments && { moments }), resultPath: null, worktree: null })
}

/**
 * Removes the rules, who has read it, notes to its agent, and where the project is on disk; where outputs are not shown,
 * the description of the changes too, because a model wrote it from them.
 */
function publicSession(session: Session, share: Share): Session {
  const { read: _read, notes: _notes, stop: _stop, writtenBy: _writtenBy, imported: _imported, ...known } = session
  const {
    branch: _branch,
    repository: _repository,
    plan: _plan,
    preset: _preset,
    visibility: _visibility,
    ...rest
  } = known
  const title = session.id === share.rootID ? (share.title ?? session.title) : session.title
  const { described, ...bare } = rest
  const shown = share.shows.outputs && described ? { described: withoutCaller(described) } : {}
  return withoutCaller({
    ...bare,
    ...shown,
    title,
    directory: basename(session.directory),
    permission: [],
    revert: null,
  })
}

function publicPart(part: Part, shows: Share["shows"]): Part | null {
  switch (part.type) {
    case "reasoning":
      return shows.reasoning ? withoutProvider(part) : null
    case "file":
      return shows.files ? withoutProvider(withFiles(part, (file) => publicFile(file, shows))) : null
    case "tool":
      return withoutProvider(
        publicCall(withoutAnswerer(shows.outputs ? withCutNote(part) : withoutOutput(part)), shows),
      )
    case "text":
      // The result of a command contains outputs.
      return !shows.outputs && comesFromCommand(part) ? null : withoutProvider(part)
    case "subtask":
      return shows.outputs || part.command === undefined ? part : { ...part, prompt: hiddenBrief }
    default:
      return part
  }
}

/** Replaces the brief of a task that a command's prompt started. */
const hiddenBrief = "The text that the command produced is not shared."

function comesFromCommand(part: TextPart): boolean {
  return part.command !== undefined || noticeOf(part)?.kind === "command"
}

/** Removes the provider's metadata, which is not part of the work and may contain anything. */
function withoutProvider<T extends { providerMetadata?: unknown }>(part: T): T {
  const { providerMetadata: _, ...rest } = part
  // The field is optional in every type that has it.
  return rest as T
}

/** Removes from a call who allowed it and what it recorded, and from a question or plan who answered it. */
function withoutAnswerer(part: ToolPart): ToolPart {
  const { state } = part
  if (state.status === "pending") return part
  const { leave: _leave, writing: _writing, writings: _writings, ...metadata } = state.metadata
  if ((part.tool === "question" || part.tool === "plan_exit") && state.status === "completed") {
    delete metadata.by
    delete metadata.byName
  }
  return { ...part, state: { ...state, metadata } }
}

/** Removes the output of a call. Todo lists, tasks, questions and answers stay, because they are part of the work. */
function withoutOutput(part: ToolPart): ToolPart {
  if (part.tool === "task") return withoutBrief(part)
  if (part.tool === "question" || todoTools.includes(part.tool)) return part
  const { state } = part
  switch (state.status) {
    case "pending":
      return part
    case "running":
      return { ...part, state: { ...state, metadata: {} } }
    case "error":
      return { ...part, state: { ...state, error: headline(state.error), metadata: {} } }
    case "completed":
      return { ...part, state: { ...state, output: "", metadata: {} } }
  }
}

/** The first line of an error: those below may quote files. */
function headline(error: string): string {
  return error.split("\n", 1)[0] ?? ""
}

/** A task shows its brief, unless a command produced it. */
function withoutBrief(part: ToolPart): ToolPart {
  const { state } = part
  const { command, ...given }: { command?: unknown } = Object(state.input)
  if (command === undefined) return part
  const input = { ...given, command, prompt: hiddenBrief }
  return { ...part, state: state.status === "pending" ? { ...state, input, raw: "" } : { ...state, input } }
}

/** Without its files when outputs are not shown, and otherwise without those that no scan can read. */
function publicCall(part: ToolPart, shows: Share["shows"]): ToolPart {
  if (part.state.status !== "completed" || part.state.attachments === undefined) return part
  const { attachments, ...state } = part.state
  if (!shows.outputs) return { ...part, state }
  return { ...part, state: { ...state, attachments: attachments.map((file) => publicFile(file, shows)) } }
}

/**
 * A file without its content, unless it is a short text, which is scanned with its row, or a picture or PDF of a share
 * that shows these.
 */
function publicFile<T extends NamedFile>(file: T, shows: Share["shows"]): T {
  const isKept = attachedHash(file.url) !== null
  const read = isKept ? null : readDataUrl(file.url)
  if (!isKept && read === null) return file
  const mime = read === null ? file.mime : mediaTypeOf(read.bytes, file.mime || read.named)
  const isUnread = isPicture(mime) || mime === "application/pdf"
  if (isUnread ? shows.pictures : read !== null && isTextual(mime)) return file
  return { ...file, url: leftOutAddress }
}

/** Removes the person who caused the row. */
function withoutCaller<T extends { by?: Caller | undefined }>(value: T): T {
  const { by: _, ...rest } = value
  // `by` is optional in every type that has it.
  return rest as T
}

const hiddenReview = "People commented on this work. What they said is not shown here."

/** Removes review comments from the part: they are only for the agents and the reviewers. */
function withoutReview(part: Part): Part {
  const notice = noticeOf(part)
  if (part.type === "text" && notice?.kind === "review") {
    return { ...part, text: hiddenReview, notice: { kind: "remark", text: hiddenReview } }
  }
  return notice?.kind === "tasks-ended" || part.type === "tool" ? withoutReasons(part) : part
}

/** Removes the reasons for rejections from the part. */
function withoutReasons(part: Part): Part {
  const texts = rowTexts(part).flatMap((at) => {
    const text = withoutReason(at.text)
    return text === at.text ? [] : [[at, text] as const]
  })
  // Only strings differ.
  return withTexts(part, new Map(texts)) as Part
}

/** From this length on, a call's shown output is only its end, which may start within a word (UTF-16 units). */
const cutLength = 29_900

/** Adds an ellipsis before a cut output, so that the scan treats its start as incomplete. */
function withCutNote(part: ToolPart): ToolPart {
  const { state } = part
  if (state.status === "pending") return part
  const { output } = state.metadata
  if (typeof output !== "string" || output.length < cutLength || output.startsWith("…")) return part
  return { ...part, state: { ...state, metadata: { ...state.metadata, output: `…${output}` } } }
}
