import { DocketError } from "../../ground/error/docket-error.ts"
import { anchoredText, quoteOf } from "../../ground/message/review-anchor.ts"
import type { Part, ReviewAnchor, ReviewPlace, Session } from "../../ground/schema/index.ts"
import { quoteOfDiff } from "./diff-lines.ts"
import type { ReviewsDeps } from "./reviews-deps.ts"

type AnchorDeps = Pick<ReviewsDeps, "store" | "patchesOf">

/** A place in a session, with what stands there, and the task that it belongs to. */
export interface PlacedAnchor {
  anchor: ReviewAnchor
  taskID: string | null
}

/** @throws message_not_found, task_not_found; invalid_input for a range that is not there */
export async function placeAnchor(deps: AnchorDeps, session: Session, place: ReviewPlace): Promise<PlacedAnchor> {
  if (place.kind === "diff") return diffAnchor(deps, session, place)
  const taskID = (await deps.store.task.byChild(session.id))?.id ?? null
  switch (place.kind) {
    case "session":
      return { anchor: place, taskID }
    case "message":
      await namedIn(deps, session, place.messageID)
      return { anchor: place, taskID }
    case "part":
      await partIn(deps, session, place)
      return { anchor: place, taskID }
    case "text":
      return { anchor: textAnchor(await partIn(deps, session, place), place), taskID }
    default:
      return place satisfies never
  }
}

async function namedIn({ store }: AnchorDeps, session: Session, messageID: string): Promise<void> {
  const { messages } = await store.transcript.named({ messageIDs: [messageID], partIDs: [] })
  if (messages[0]?.sessionID !== session.id) {
    throw new DocketError("message_not_found", `There is no message ${messageID} in this session.`)
  }
}

async function partIn(
  { store }: AnchorDeps,
  session: Session,
  { messageID, partID }: { messageID: string; partID: string },
): Promise<Part> {
  const part = await store.transcript.part(partID)
  if (part === null || part.sessionID !== session.id || part.messageID !== messageID) {
    throw new DocketError("message_not_found", `There is no part ${partID} in this message.`)
  }
  return part
}

function textAnchor(part: Part, place: Extract<ReviewPlace, { kind: "text" }>): ReviewAnchor {
  const text = anchoredText(part, place.of)
  if (text === null) {
    throw new DocketError("invalid_input", `The part has no ${place.of} to comment on. Comment on the part as a whole.`)
  }
  const { from, to } = place
  if (from >= to || to > text.length) {
    throw new DocketError(
      "invalid_input",
      `The range from ${from} to ${to} is not within the ${text.length} characters of the part's ${place.of}.`,
    )
  }
  return { ...place, ...quoteOf(text, place) }
}

async function diffAnchor(
  deps: AnchorDeps,
  session: Session,
  place: Extract<ReviewPlace, { kind: "diff" }>,
): Promise<PlacedAnchor> {
  const { scope } = place
  const taskID = scope.kind === "task" ? scope.taskID : null
  if (taskID !== null && (await deps.store.task.get(taskID))?.sessionID !== session.id) {
    throw new DocketError("task_not_found", `There is no task ${taskID} that this session worked for.`)
  }
  if (scope.kind === "turn") await namedIn(deps, session, scope.promptID)
  const [patches = []] = await deps.patchesOf(session.rootID, [place])
  const quote = quoteOfDiff(patches, place)
  return { anchor: { ...place, quote }, taskID }
}
