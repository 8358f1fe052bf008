import path from "node:path"
import type {
  ToolCall,
  ToolCallContent,
  ToolCallLocation,
  ToolCallStatus,
  ToolKind,
} from "@agentclientprotocol/sdk/unstable"
import { callStatus } from "@docket/core/call-status"
import { visibleText } from "@docket/core/rule"
import type { ToolPart } from "@docket/core/schema"
import { type MetadataOf, readToolCall, type toolNames } from "@docket/core/tool-metadata"
import type { WorkStatus } from "@docket/core/work-status"
import { changeLocation, fileDiffs } from "./file-diffs.ts"
import { inFence } from "./in-fence.ts"
import { type PictureFile, pictureContent } from "./pictures.ts"

/** Where the calls of a session take place, and what its editor can draw. */
export interface CallPlace {
  /** The directory that relative paths of calls start from. */
  root: string
  /** The editor draws the output of commands as a terminal: see `terminal-output.ts`. */
  drawsTerminals: boolean
}

const kinds: Record<(typeof toolNames)[number], ToolKind> = {
  read: "read",
  list: "read",
  lsp: "read",
  skill: "read",
  glob: "search",
  grep: "search",
  tool_search: "search",
  edit: "edit",
  multiedit: "edit",
  write: "edit",
  apply_patch: "edit",
  bash: "execute",
  webfetch: "fetch",
  websearch: "fetch",
  todowrite: "think",
  todoread: "think",
  todoupdate: "think",
  memory: "think",
  task: "think",
  async_task: "think",
  async_task_result: "think",
  async_task_gather: "think",
  async_task_cancel: "think",
  task_message: "think",
  plan_enter: "switch_mode",
  plan_exit: "switch_mode",
  question: "other",
  batch: "other",
}

const statuses: Record<WorkStatus, ToolCallStatus> = {
  queued: "pending",
  needs: "in_progress",
  away: "in_progress",
  running: "in_progress",
  done: "completed",
  unread: "completed",
  failed: "failed",
  stopped: "failed",
}

/** A call as editors draw it. Its id is that of the part, because providers repeat ids of calls. */
export function toolCallOf(part: ToolPart, place: CallPlace): ToolCall {
  const call = readToolCall(part)
  return {
    toolCallId: part.id,
    name: part.tool,
    title: titleOf(part),
    kind: call.tool === "other" ? "other" : kinds[call.tool],
    status: statuses[callStatus(part)],
    content: contentOf(part, place),
    locations: locationsOf(part, place.root),
    rawInput: part.state.input,
  }
}

/** Characters of a title: a command may be long, and an editor shows a line. */
const longestTitle = 300

function titleOf({ tool, state }: ToolPart): string {
  const { command } = inputOf(state)
  const said = state.status === "pending" ? "" : (state.title ?? "")
  const title = tool === "bash" && typeof command === "string" ? command : `${tool} ${said}`
  return visibleText(title.trim().slice(0, longestTitle)) || tool
}

function contentOf(part: ToolPart, { root, drawsTerminals }: CallPlace): ToolCallContent[] {
  const { state } = part
  const call = readToolCall(part)
  switch (call.tool) {
    case "bash":
      if (state.status === "pending") return []
      if (drawsTerminals) return [{ type: "terminal", terminalId: part.id }]
      return [...quoted(call.metadata?.output ?? ""), ...failureOf(part)]
    case "edit":
    case "multiedit":
    case "write":
      return [...(call.metadata === null ? [] : fileDiffs(call.metadata, root)), ...failureOf(part)]
    case "apply_patch":
      return [...(call.metadata?.changes ?? []).flatMap((change) => fileDiffs(change, root)), ...failureOf(part)]
    case "todowrite":
    case "todoread":
    case "todoupdate":
      // The plan shows them.
      return failureOf(part)
    case "task": {
      const answer = state.status === "completed" ? state.output.slice(0, call.metadata?.answerLength) : ""
      return [...text(answer), ...failureOf(part)]
    }
    default:
      return state.status === "completed" ? [...quoted(state.output), ...pictures(state)] : failureOf(part)
  }
}

function failureOf({ state }: ToolPart): ToolCallContent[] {
  return state.status === "error" ? text(state.error) : []
}

function pictures({ attachments = [] }: { attachments?: readonly PictureFile[] | undefined }): ToolCallContent[] {
  return attachments.flatMap((file) => {
    const content = pictureContent(file)
    return content === null ? [] : [{ type: "content" as const, content }]
  })
}

function text(said: string): ToolCallContent[] {
  return said.trim() === "" ? [] : [{ type: "content", content: { type: "text", text: said } }]
}

function quoted(output: string): ToolCallContent[] {
  return output.trim() === "" ? [] : text(inFence(output.trimEnd()))
}

/** Places in files that one call names at most: an editor follows along, it does not list. */
const mostLocations = 20

function locationsOf(part: ToolPart, root: string): ToolCallLocation[] {
  const call = readToolCall(part)
  const at = (file: string, line?: number) => ({ path: path.resolve(root, file), ...(line !== undefined && { line }) })
  if (call.metadata === null) return namedPath(part, root)
  switch (call.tool) {
    case "read":
      return [readLocation(call.metadata, at)]
    case "edit":
    case "multiedit":
    case "write":
      return [changeLocation(call.metadata, root)]
    case "apply_patch":
      return call.metadata.changes.slice(0, mostLocations).map((change) => changeLocation(change, root))
    case "grep":
      return call.metadata.files.slice(0, mostLocations).map(({ file, lines }) => at(file, lines[0]?.line))
    case "list":
      return [at(call.metadata.directory)]
    case "lsp":
      return [at(call.metadata.file)]
    default:
      return namedPath(part, root)
  }
}

function readLocation(
  { kind, file, startLine }: MetadataOf<"read">,
  at: (file: string, line?: number) => ToolCallLocation,
): ToolCallLocation {
  return kind === "file" ? at(file, Math.max(1, startLine)) : at(file)
}

/** What a call that has not begun is about, as far as its arguments say so. */
function namedPath({ state }: ToolPart, root: string): ToolCallLocation[] {
  const { filePath } = inputOf(state)
  return typeof filePath === "string" && filePath !== "" ? [{ path: path.resolve(root, filePath) }] : []
}

function inputOf({ input }: ToolPart["state"]): Record<string, unknown> {
  return typeof input === "object" && input !== null ? (input as Record<string, unknown>) : {}
}
