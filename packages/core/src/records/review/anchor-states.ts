import { type AnchorState, textAnchorState } from "../../ground/message/review-anchor.ts"
import type { ReviewAnchor, ReviewThread, Session } from "../../ground/schema/index.ts"
import { diffAnchorState } from "./diff-lines.ts"
import type { DiffedFile, ReviewsDeps } from "./reviews-deps.ts"

/**
 * Where the anchors of threads stand now, by thread: one look at the sessions of the tree, one at what is named, one at
 * the diff of each file that is.
 */
export async function anchorStates(
  { store, patchesOf }: Pick<ReviewsDeps, "store" | "patchesOf">,
  rootID: string,
  threads: readonly ReviewThread[],
): Promise<Map<string, AnchorState>> {
  const anchors = threads.map(({ anchor }) => anchor)
  const files = diffedFiles(anchors)
  const [sessions, { messages, parts }, patches] = await Promise.all([
    store.session.tree(rootID),
    store.transcript.named({
      messageIDs: anchors.flatMap((anchor) => (anchor.kind === "message" ? [anchor.messageID] : [])),
      partIDs: anchors.flatMap((anchor) => (anchor.kind === "part" || anchor.kind === "text" ? [anchor.partID] : [])),
    }),
    patchesOf(rootID, [...files.values()]),
  ])
  const patchesOfFile = new Map([...files.keys()].map((key, index) => [key, patches[index] ?? []]))
  // An id of another tree names nothing here: whether words stand there is not told.
  const ids = new Set(sessions.map(({ id }) => id))
  const isOfTree = ({ sessionID }: { sessionID: string }) => ids.has(sessionID)
  const known = {
    isUndone: undoneIn(sessions),
    messages: new Set(messages.filter(isOfTree).map(({ id }) => id)),
    parts: new Map(parts.filter(isOfTree).map((part) => [part.id, part])),
  }
  const stateOf = ({ sessionID, anchor }: ReviewThread): AnchorState => {
    if (anchor.kind === "session") return { state: "there" }
    if (anchor.kind === "diff") return diffAnchorState(patchesOfFile.get(fileKey(anchor)) ?? [], anchor)
    const isUndone = known.isUndone(sessionID, anchor.messageID)
    if (anchor.kind === "message") return isUndone || !known.messages.has(anchor.messageID) ? gone : { state: "there" }
    const part = isUndone ? null : (known.parts.get(anchor.partID) ?? null)
    if (anchor.kind === "text") return textAnchorState(anchor, part)
    return part === null ? gone : { state: "there" }
  }
  return new Map(threads.map((thread) => [thread.id, stateOf(thread)]))
}

const gone: AnchorState = { state: "gone" }

/** The files of whose diffs anchors speak, each once. */
function diffedFiles(anchors: readonly ReviewAnchor[]): Map<string, DiffedFile> {
  return new Map(anchors.flatMap((anchor) => (anchor.kind === "diff" ? [[fileKey(anchor), anchor] as const] : [])))
}

function fileKey({ scope, path }: DiffedFile): string {
  return JSON.stringify([scope.kind === "task" ? scope.taskID : scope.promptID, path])
}

/** Whether a message is in the part of the conversation that is undone, or in a child that this part had made. */
function undoneIn(sessions: readonly Session[]): (sessionID: string, messageID: string) => boolean {
  const reverts = new Map(sessions.flatMap(({ id, revert }) => (revert ? [[id, revert] as const] : [])))
  const children = new Set([...reverts.values()].flatMap((revert) => revert.children))
  return (sessionID, messageID) => {
    const from = reverts.get(sessionID)?.messageID
    return children.has(sessionID) || (from !== undefined && messageID >= from)
  }
}
