import { quoteFrames } from "../../ground/message/quote-frames.ts"
import type {
  Notice,
  ReviewAnchor,
  ReviewComment,
  ReviewThread,
  ReviewVerdict,
  TaskSummary,
} from "../../ground/schema/index.ts"

export type ReviewNotice = Extract<Notice, { kind: "review" }>

/** The reviewed task; null for the notified session itself. */
type NotifiedTask = Pick<TaskSummary, "number" | "description" | "agent"> | null

/** The parts of a comment and its thread that a notice has. */
interface NotifiedComment {
  thread: Pick<ReviewThread, "taskID" | "anchor">
  comment: Pick<ReviewComment, "id" | "text">
}

/** A notice about comments and verdicts, as data. */
export function reviewNotice({
  sendingID,
  verdicts = [],
  comments,
  taskOf,
}: {
  /** The id of a sending that expects an answer; null when none is expected. */
  sendingID: string | null
  verdicts?: readonly ReviewVerdict[]
  comments: readonly NotifiedComment[]
  taskOf(id: string | null): NotifiedTask
}): ReviewNotice {
  return {
    kind: "review",
    sendingID,
    verdicts: verdicts.map(({ taskID, verdict, reason, time }) => ({
      task: named(taskOf(taskID)),
      verdict: time.withdrawn === null ? verdict : null,
      reason,
    })),
    comments: comments.map(({ thread, comment }) => ({
      id: comment.id,
      task: named(taskOf(thread.taskID)),
      place: placeWords(thread.anchor),
      quote: "quote" in thread.anchor ? thread.anchor.quote : null,
      text: comment.text,
    })),
  }
}

function named(task: NotifiedTask) {
  return task && { number: task.number, description: task.description, agent: task.agent }
}

/** The place of a comment as text; empty for a whole session. */
function placeWords(anchor: ReviewAnchor): string {
  switch (anchor.kind) {
    case "session":
      return ""
    case "message":
      return "a message"
    case "part":
      return "a part of a message"
    case "text":
      return { text: "these words", input: "the input of a tool call", output: "the output of a tool call" }[anchor.of]
    case "diff": {
      const { path, side, from, to } = anchor
      const lines = from === to ? `line ${from}` : `lines ${from} to ${to}`
      return `${path}, ${lines}${side === "old" ? " as it was before" : ""}`
    }
    default:
      return anchor satisfies never
  }
}

const verdictWords = { approve: "approved", needs_changes: "needs changes", reject: "rejected" } as const

/** The first line of a prompt that sends comments. */
export const commentsOpening = "Work on these comments of people now. Then answer each of them in short, by its number."

/** The notice as text for the model. */
export function reviewText({ sendingID, verdicts, comments }: ReviewNotice): string {
  const verdictLines = verdicts.map(({ task, verdict, reason }) => {
    const said = verdict === null ? "the verdict was withdrawn" : verdictWords[verdict]
    return `- ${taskWords(task)}: ${said}${reason === "" ? "" : `. ${quoteFrames(reason)}`}`
  })
  const commentLines = comments.map((comment, index) => `${index + 1}. ${commentWords(comment)}`)
  if (sendingID !== null) {
    return [commentsOpening, ...commentLines].join("\n\n")
  }
  return [
    "<system-reminder>",
    ...(verdictLines.length === 0 ? [] : ["People judged tasks of yours:", ...verdictLines]),
    ...(commentLines.length === 0 ? [] : ["People commented on tasks of yours:", ...commentLines]),
    "</system-reminder>",
  ].join("\n")
}

function commentWords({ task, place, quote, text }: ReviewNotice["comments"][number]): string {
  const about = [...(task === null ? [] : [taskWords(task)]), ...(place === "" ? [] : [quoteFrames(place)])].join(", ")
  const quoted =
    quote === null
      ? []
      : quoteFrames(quote)
          .split("\n")
          .map((line) => `   > ${line}`)
  const said = quoteFrames(text)
    .split("\n")
    .map((line) => `   ${line}`)
  return [about === "" ? "On all of it:" : `On ${about}:`, ...quoted, ...said].join("\n")
}

function taskWords(task: ReviewNotice["comments"][number]["task"]): string {
  return task === null ? "your work" : `task #${task.number} "${quoteFrames(task.description)}" (@${task.agent})`
}
