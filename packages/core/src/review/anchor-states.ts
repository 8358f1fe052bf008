import { type AnchorState, textAnchorState } from "../message/review-anchor.ts"
import type { ReviewThread, Session } from "../schema/index.ts"
import type { Store } from "../store/index.ts"

/** Where the anchors of threads stand now, by thread: one look at the sessions of the tree, one at what is named. */
export async function anchorStates(
  store: Pick<Store, "session" | "transcript">,
  rootID: string,
  threads: readonly ReviewThread[],
): Promise<Map<string, AnchorState>> {
  const anchors = threads.map(({ anchor }) => anchor)
  const [sessions, { messages, parts }] = await Promise.all([
    store.session.tree(rootID),
    store.transcript.named({
      messageIDs: anchors.flatMap((anchor) => (anchor.kind === "message" ? [anchor.messageID] : [])),
      partIDs: anchors.flatMap((anchor) => (anchor.kind === "part" || anchor.kind === "text" ? [anchor.partID] : [])),
    }),
  ])
  const known = {
    isUndone: undoneIn(sessions),
    messages: new Set(messages.map(({ id }) => id)),
    parts: new Map(parts.map((part) => [part.id, part])),
  }
  const stateOf = ({ sessionID, anchor }: ReviewThread): AnchorState => {
    if (anchor.kind === "session" || anchor.kind === "diff") return { state: "there" }
    const isUndone = known.isUndone(sessionID, anchor.messageID)
    if (anchor.kind === "message") return isUndone || !known.messages.has(anchor.messageID) ? gone : { state: "there" }
    const part = isUndone ? null : (known.parts.get(anchor.partID) ?? null)
    if (anchor.kind === "text") return textAnchorState(anchor, part)
    return part === null ? gone : { state: "there" }
  }
  return new Map(threads.map((thread) => [thread.id, stateOf(thread)]))
}

const gone: AnchorState = { state: "gone" }

/** Whether a message is in the part of the conversation that is undone, or in a child that this part had made. */
function undoneIn(sessions: readonly Session[]): (sessionID: string, messageID: string) => boolean {
  const reverts = new Map(sessions.flatMap(({ id, revert }) => (revert ? [[id, revert] as const] : [])))
  const children = new Set([...reverts.values()].flatMap((revert) => revert.children))
  return (sessionID, messageID) => {
    const from = reverts.get(sessionID)?.messageID
    return children.has(sessionID) || (from !== undefined && messageID >= from)
  }
}
