import type { ToolPart } from "./part.ts"
import {
  CallEnd,
  CallLeave,
  CallWriting,
  type FileWriting,
  type MetadataOf,
  OtherMetadata,
  ToolMetadata,
  type ToolName,
  toolNames,
} from "./tool-metadata.ts"

export { type CallLeave, type MetadataOf, todoTools } from "./tool-metadata.ts"

/** A call by its tool. `metadata` is null before there is any, and where a call failed before it had some. */
export type ToolCall =
  | { [Name in ToolName]: { tool: Name; metadata: MetadataOf<Name> | null } }[ToolName]
  | { tool: "other"; name: string; metadata: OtherMetadata | null }

/** Reads what a call keeps, also one that an earlier version stored. Never throws, whatever it finds. */
export function readToolCall({ tool, state }: Pick<ToolPart, "tool" | "state">): ToolCall {
  const stored = state.status === "pending" ? {} : state.metadata
  if (!isToolName(tool)) return { tool: "other", name: tool, metadata: OtherMetadata.safeParse(stored).data ?? null }
  const metadata = ToolMetadata.safeParse({ ...inTodaysShape(stored, state), tool }).data ?? null
  // The name picks the member of the union that was parsed, which the type does not follow.
  return { tool, metadata } as ToolCall
}

/** How a call ended, where its tool did not end it. Never throws, whatever it finds. */
export function readCallEnd({ state }: Pick<ToolPart, "state">): CallEnd {
  return (state.status === "error" && CallEnd.safeParse(state.metadata).data) || {}
}

/** Who gave the leave that a call asked for, or refused it; null when nobody with an account was asked. */
export function readCallLeave({ state }: Pick<ToolPart, "state">): CallLeave["leave"] | null {
  return (state.status !== "pending" && CallLeave.safeParse(state.metadata).data?.leave) || null
}

/**
 * What a running call is about to write: null when it has not come to that, undefined for a call that does not note it
 * (another tool's, or one of an earlier version). Never throws, whatever it finds.
 */
export function readCallWriting({ state }: Pick<ToolPart, "state">): FileWriting | null | undefined {
  return state.status === "running" ? CallWriting.safeParse(state.metadata).data?.writing : undefined
}

function isToolName(name: string): name is ToolName {
  return toolNames.some((known) => known === name)
}

/**
 * What 0.1.0 stored otherwise: the tools for one running task kept it as all of their metadata, and a task's answer, or
 * why it failed, stood only in the text for the model.
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
