import type {
  AssistantMessage,
  MessageError,
  MessageWithParts,
  Part,
  RetryPart,
  ToolPart,
  UserMessage,
} from "@docket/core/schema"
import type { LaneSpan } from "../../tools/lay-out-lanes.ts"

/** Sums of the assistant messages that answer one prompt. Cost in USD, elapsed in ms. */
export interface TurnTotals {
  tokens: number
  cost: number
  elapsed: number
  steps: number
  /** What extensions changed of them, in words; empty for nothing. */
  changed: string
}

/** Tokens and cost (USD) of one step. */
interface StepUsage {
  tokens: number
  cost: number
}

/**
 * One entry for each row of the transcript. `key` is the part's id if the row shows a part, so that links, focus, open
 * state and measured heights follow the part.
 */
export type Row =
  | {
      kind: "prompt"
      key: string
      message: UserMessage
      /** Text, files, mentions and subtasks, in the order they were given. */
      parts: Part[]
      /** Written by Docket, not by a user (a finished background task, a reminder). */
      synthetic: boolean
    }
  | {
      kind: "part"
      key: string
      part: Part
      agent: string
      /** The model is writing this part now. */
      streaming: boolean
      /** Tokens and cost of the step that ends with this part. */
      step: StepUsage | null
      /** The first row of a step that is not the first of its turn. */
      beginsStep: boolean
    }
  /**
   * Two or more tasks of one answer, which run in parallel: one lane each, below the lane of the agent that delegated.
   */
  | {
      kind: "lanes"
      key: string
      tasks: ToolPart[]
      /** The agent that delegated, and what it did while the tasks ran. */
      agent: string
      parent: LaneSpan[]
      /** Parts whose lanes are open. */
      open: string[]
      step: StepUsage | null
      beginsStep: boolean
    }
  /** Consecutive lookup calls: one line, with a row for each call below it when open. */
  | { kind: "fold"; key: string; parts: ToolPart[]; open: boolean; beginsStep: boolean }
  | { kind: "compaction"; key: string }
  /** All failed attempts of one answer, in order. `over`: an attempt has produced output, or the answer has ended. */
  | { kind: "retry"; key: string; parts: RetryPart[]; over: boolean }
  /** `last`: no loaded message follows the failed one. */
  | { kind: "error"; key: string; message: AssistantMessage; error: MessageError; last: boolean }
  /**
   * The end of a turn. `totals` are null when the prompt is not loaded. `prompt`: the user's prompt that the turn
   * answers; null when it is not loaded, or when no user sent it.
   */
  | {
      kind: "meta"
      key: string
      message: AssistantMessage
      totals: TurnTotals | null
      prompt: MessageWithParts | null
    }
  /** The agent works, and has nothing new to show yet. `since` is in epoch ms. */
  | { kind: "waiting"; key: string; agent: string; since: number }

/** The id for `?part=` of a row; null when the row shows no part. */
export function linkedPart(row: Row): string | null {
  switch (row.kind) {
    case "part":
      return row.part.id
    case "retry":
      return row.key
    case "prompt":
    case "fold":
      return row.parts[0]?.id ?? null
    case "lanes":
      return row.tasks[0]?.id ?? null
    case "compaction":
      return row.key
    default:
      return null
  }
}

/** The index of the first row that an undo from this message on takes back; -1 for none. */
export function firstUndoneRow(rows: readonly Row[], messageID: string): number {
  return rows.findIndex((row) => (messageOf(row) ?? "") >= messageID)
}

/** The part at whose step an undo from this row starts; null for a row that begins no step. */
export function stepPart(row: Row): Part | null {
  switch (row.kind) {
    case "part":
      return row.beginsStep ? row.part : null
    case "lanes":
      return row.beginsStep ? (row.tasks[0] ?? null) : null
    case "fold":
      // The calls of an open fold are rows of their own.
      return row.beginsStep && !row.open ? (row.parts[0] ?? null) : null
    default:
      return null
  }
}

function messageOf(row: Row): string | undefined {
  switch (row.kind) {
    case "prompt":
    case "error":
    case "meta":
      return row.message.id
    case "part":
      return row.part.messageID
    case "lanes":
      return row.tasks[0]?.messageID
    case "fold":
    case "retry":
      return row.parts[0]?.messageID
    default:
      return undefined
  }
}

/**
 * Ids that comments on this row can refer to, the row's own first: its message or parts. Empty for rows without
 * content.
 */
export function commentedIDs(row: Row): string[] {
  switch (row.kind) {
    case "prompt":
      return [row.message.id, ...row.parts.map(({ id }) => id)]
    case "part":
      return [row.part.id]
    case "lanes":
      return row.tasks.map(({ id }) => id)
    case "fold":
      return row.open ? [] : row.parts.map(({ id }) => id)
    default:
      return []
  }
}

/** Does the row show this part? */
export function showsPart(row: Row, partID: string): boolean {
  if (row.kind === "fold") return !row.open && row.parts.some((part) => part.id === partID)
  if (row.kind === "lanes") return row.tasks.some((part) => part.id === partID)
  return row.kind === "prompt" || row.kind === "retry"
    ? row.parts.some((part) => part.id === partID)
    : linkedPart(row) === partID
}

export function isTask(part: Part): part is ToolPart & { tool: "task" | "async_task" } {
  return part.type === "tool" && (part.tool === "task" || part.tool === "async_task")
}
