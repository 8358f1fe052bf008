import type { ToolPart } from "./part.ts"
import {
  type CallChange,
  CallChanges,
  CallEnd,
  CallLeave,
  CallWriting,
  type FileChangeMetadata,
  type FileWriting,
  type MetadataOf,
  OtherMetadata,
  ToolMetadata,
  type ToolName,
  toolNames,
} from "./tool-metadata.ts"

export { type CallChange, type CallLeave, type MetadataOf, todoTools, toolNames } from "./tool-metadata.ts"

/** A call, typed by its tool. `metadata` is null as long as there is none, also when the call failed before. */
export type ToolCall =
  | { [Name in ToolName]: { tool: Name; metadata: MetadataOf<Name> | null } }[ToolName]
  | { tool: "other"; name: string; metadata: OtherMetadata | null }

/** Reads the metadata of a call, also of one that an earlier version stored. Never throws, whatever is stored. */
export function readToolCall({ tool, state }: Pick<ToolPart, "tool" | "state">): ToolCall {
  const stored = state.status === "pending" ? {} : state.metadata
  if (!isToolName(tool)) return { tool: "other", name: tool, metadata: OtherMetadata.safeParse(stored).data ?? null }
  const metadata = ToolMetadata.safeParse({ ...inTodaysShape(stored, state), tool }).data ?? null
  // The name picks the member of the union that was parsed, which the type does not follow.
  return { tool, metadata } as ToolCall
}

/** How a call ended that its tool did not end itself. Never throws, whatever is stored. */
export function readCallEnd({ state }: Pick<ToolPart, "state">): CallEnd {
  return (state.status === "error" && CallEnd.safeParse(state.metadata).data) || {}
}

/** Who allowed or refused what a call asked for; null when nobody with an account was asked. */
export function readCallLeave({ state }: Pick<ToolPart, "state">): CallLeave["leave"] | null {
  return (state.status !== "pending" && CallLeave.safeParse(state.metadata).data?.leave) || null
}

/** What extensions changed of the call. Never throws, whatever is stored. */
export function readCallChanges({ state }: Pick<ToolPart, "state">): CallChange[] {
  return (state.status !== "pending" && CallChanges.safeParse(state.metadata).data?.changed) || []
}

/**
 * The writes that a running call has planned: none before it has any, undefined for a call that stores none (of another
 * tool or an earlier version). Never throws, whatever is stored.
 */
export function readCallWritings({ state }: Pick<ToolPart, "state">): FileWriting[] | undefined {
  const noted = state.status === "running" ? CallWriting.safeParse(state.metadata).data : undefined
  if (noted === undefined) return undefined
  return noted.writings ?? (noted.writing === null ? [] : [noted.writing])
}

/** The tools that change the files which they name. */
const fileChangers: ReadonlySet<string> = new Set<ToolName>(["edit", "multiedit", "write", "apply_patch"])

/** The changes of files that a completed call of such a tool recorded; null for other calls. */
export function readFileChanges(part: Pick<ToolPart, "tool" | "state">): FileChangeMetadata[] | null {
  if (!fileChangers.has(part.tool) || part.state.status !== "completed") return null
  const call = readToolCall(part)
  if (call.tool === "apply_patch") return call.metadata?.changes ?? []
  const isChange = call.tool === "edit" || call.tool === "multiedit" || call.tool === "write"
  return isChange && call.metadata !== null ? [call.metadata] : []
}

/** Whether calls of the tool change the files which they name. */
export function changesFiles(tool: string): boolean {
  return fileChangers.has(tool)
}

function isToolName(name: string): name is ToolName {
  return toolNames.some((known) => known === name)
}

/**
 * Converts metadata of version 0.1.0: there, the tools for a single running task stored this task as their whole
 * metadata, and a task's answer or failure reason was only in the text for the model.
 */
function inTodaysShape(stored: Record<string, unknown>, state: ToolPart["state"]): Record<string, unknown> {
  if ("taskId" in stored && !("tasks" in stored)) return { ...stored, tasks: [stored] }
  const isTask = "summary" in stored
  const lacksLength = isTask && !("answerLength" in stored)
  if (state.status === "completed" && lacksLength) {
    const end = state.output.lastIndexOf("\n\n<task_metadata>\n")
    return { ...stored, answerLength: end < 0 ? state.output.length : end }
  }
  const lacksFailure = isTask && !("failure" in stored)
  if (state.status !== "error" || !lacksFailure) return stored
  const [message = ""] = state.error.split(/\n\n<(?:partial_result|task_metadata)>\n/, 1)
  return { ...stored, failure: message.replace(/^The subagent (?:failed|ran out of time|was stopped): /, "").trim() }
}
