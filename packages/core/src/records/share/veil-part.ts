import type { Part, ToolPart } from "../../ground/schema/index.ts"
import { readToolCall } from "../../ground/schema/read-tool-call.ts"
import type { ShareSource } from "./public-row.ts"
import type { VisibleTree } from "./visible-tree.ts"

/** Calls that speak of tasks. */
const taskTools = ["task", "async_task", "async_task_result", "async_task_gather", "async_task_cancel", "task_message"]

/** The row without what it tells of sessions that the tree leaves out. */
export function veiled(source: ShareSource, { left }: Pick<VisibleTree, "left">): ShareSource {
  return source.kind === "part" ? { kind: "part", value: veilPart(source.value, left) } : source
}

/**
 * The part without what it tells of sessions that are left out: the brief, the result and the title of their tasks, and
 * notices of their ends. Words of a model about them stay: they are its own.
 */
function veilPart(part: Part, left: ReadonlySet<string>): Part {
  if (left.size === 0) return part
  if (part.type === "tool" && taskTools.includes(part.tool) && speaksOf(part, left)) return lockedCall(part)
  if (part.type === "text" && part.synthetic === true && names(part, left)) {
    const { notice: _, ...rest } = part
    return { ...rest, text: "What this says of a task is not shared." }
  }
  return part
}

/** A call that does not tell yet whose task it is may be one of theirs. */
function speaksOf(part: ToolPart, left: ReadonlySet<string>): boolean {
  const call = readToolCall(part)
  const isSettled = part.state.status === "completed" || part.state.status === "error"
  const known = call.tool === "task" || call.tool === "async_task" ? call.metadata !== null : isSettled
  return names(part, left) || !(known || isSettled)
}

function names(part: Part, sessions: ReadonlySet<string>): boolean {
  const text = JSON.stringify(part)
  for (const id of sessions) if (text.includes(id)) return true
  return false
}

function lockedCall(part: ToolPart): ToolPart {
  const { state } = part
  const input = lockedInput
  switch (state.status) {
    case "pending":
      return { ...part, state: { ...state, input, raw: "" } }
    case "running":
      return { ...part, state: { status: "running", input, metadata: {}, time: state.time } }
    case "completed":
      return { ...part, state: { ...state, input, output: "", title: "", metadata: {} } }
    case "error":
      return { ...part, state: { status: "error", input, error: "", metadata: {}, time: state.time } }
  }
}

/** In the place of what a call of a task that is not shared was given. */
const lockedInput = { description: "Not shared", locked: true }
