import { callStatus } from "@docket/core/call-status"
import { type ExtensionText, withoutExtensionWords } from "@docket/core/message"
import type { ToolPart } from "@docket/core/schema"
import { type CallChange, type CallLeave, readCallChanges, readCallLeave } from "@docket/core/tool-metadata"
import type { WorkStatus } from "@docket/core/work-status"
import type { Fact, ToolBody } from "./call-view.ts"
import { describeCall } from "./describe-call.ts"
import { toolLabel } from "./tool-label.ts"

/** A tool call prepared for rendering: the 28 px header and the body. */
export interface ToolView {
  tool: string
  status: WorkStatus
  title: string
  /** A second line, if the title is a description: the command of bash. Null for titles that are names. */
  detail: string | null
  /** Figures on the right of the header. */
  facts: Fact[]
  /** The call itself succeeded, but what it ran failed: an exit code, a signal, a time-out. */
  alarm: string | null
  additions: number | null
  deletions: number | null
  error: string | null
  /** What extensions told the model of its result. */
  notes: ExtensionText[]
  /** Epoch ms; `end` is null while it runs. */
  time: { start: number; end: number | null } | null
  body: ToolBody
  /** Open by default: new plans, tasks and failures. */
  open: boolean
}

/** Longer text does not fit into a header line (UTF-16 units). */
const longestTitle = 500

/**
 * Prepares a tool part for rendering. Never throws, whatever the part contains. `waiting`: a permission request is open
 * for it.
 */
export function toolView(call: ToolPart, waiting = false): ToolView {
  const changes = readCallChanges(call)
  const notes = changes.flatMap(({ what, by, reason = "" }) => (what === "said" ? [{ from: by, text: reason }] : []))
  const part = withoutNotes(call, notes)
  const { state } = part
  const { title, detail = null, body, facts = [], alarm = null } = describeCall(part)
  const leave = readCallLeave(part)
  const diffs = body.kind === "diff" ? [body.change] : body.kind === "diffs" ? body.changes : null
  const sum = (count: "additions" | "deletions") => diffs?.reduce((total, change) => total + change[count], 0) ?? null
  return {
    tool: toolLabel(part.tool),
    status: waiting && state.status === "running" ? "needs" : callStatus(part),
    title: title.slice(0, longestTitle),
    detail: detail?.slice(0, longestTitle) ?? null,
    facts: [...facts, ...(leave === null ? [] : [leaveFact(leave)]), ...changeFacts(changes)],
    notes,
    alarm,
    additions: sum("additions"),
    deletions: sum("deletions"),
    error: body.kind === "task" ? body.task.error : state.status === "error" ? state.error : null,
    time:
      state.status === "pending" ? null : { start: state.time.start, end: "end" in state.time ? state.time.end : null },
    body,
    open:
      (body.kind === "todos" && body.planned) ||
      (body.kind === "plan" && body.approved) ||
      body.kind === "task" ||
      state.status === "error",
  }
}

/** The call with the result that its tool made. */
function withoutNotes(part: ToolPart, notes: readonly ExtensionText[]): ToolPart {
  const { state } = part
  if (notes.length === 0) return part
  if (state.status === "completed")
    return { ...part, state: { ...state, output: withoutExtensionWords(state.output, notes) } }
  if (state.status !== "error") return part
  return { ...part, state: { ...state, error: withoutExtensionWords(state.error, notes) } }
}

const verbs = { once: "allowed", always: "allowed for good", rejected: "rejected" } as const

const changeWords = {
  arguments: "arguments changed by",
  result: "result changed by",
  blocked: "blocked by",
  allowed: "allowed by",
  unchecked: "not checked by",
  remark: "",
  said: "note of",
} as const
/** UTF-16 units. */
const longestReason = 120

/** What extensions changed and decided, each of it once. Why a call was blocked is its error, below. */
function changeFacts(changes: readonly CallChange[]): Fact[] {
  const words = changes.map(({ what, by, reason = "" }) => {
    const did = `${changeWords[what]} ${by}`.trim()
    return reason === "" || what === "blocked" || what === "said" ? did : `${did}: ${reason.slice(0, longestReason)}`
  })
  return [...new Set(words)]
}

function leaveFact({ status, by, byName: name }: CallLeave["leave"]): Fact {
  return { did: verbs[status], by: { person: by, name } }
}
