"use client"

import { useTRPCClient, useTree, useTreeState } from "@docket/client/react"
import type { ThreadView } from "@docket/core"
import type { Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { Button } from "@mantine/core"
import { useSyncExternalStore } from "react"
import { Can } from "../../shell/me.tsx"
import { ErrorState } from "../../ui/error-state.tsx"
import panel from "../../ui/panel.module.css"
import { SkeletonRows } from "../../ui/skeleton-rows.tsx"
import type { DiffTarget } from "../changed-files/diff-target.ts"
import { type CommentStore, createCommentStore } from "../commenting/comment-store.ts"
import { useCommenting } from "../commenting/use-commenting.ts"
import { placeID } from "./comment-counts.ts"
import { CommentField } from "./comment-field.tsx"
import { isProse, placeLabel } from "./comment-labels.ts"
import styles from "./comments.module.css"
import { currentRange } from "./highlight.ts"
import { firstPart, lastText } from "./part-of-message.ts"
import { Quote } from "./quote.tsx"
import { SendBar } from "./send-bar.tsx"
import { ThreadCard } from "./thread-card.tsx"
import { type Comments, useComments } from "./use-comments.ts"
import { useNames } from "./use-names.ts"

export interface CommentsPanelProps {
  rootID: string
  /** The shown session. Its comments come first. */
  sessionID: string
  /** A session whose comments the page itself can send, outside the panel. */
  sessionSentElsewhere?: string | null
  onOpenSession(sessionID: string): void
  onOpenPart(sessionID: string, partID: string): void
  onOpenDiff(target: DiffTarget): void
}

const noSessions: Record<string, Session> = {}
/** Stands in for the store on pages without comments. */
const emptyStore = createCommentStore()

/** All comments and drafts of a tree, those of the shown session first. */
export function CommentsPanel(props: CommentsPanelProps) {
  const { rootID, sessionID } = props
  const comments = useComments(rootID)
  const sessions = useTreeState(useTree(rootID), (view) => view.tree?.sessions ?? noSessions)
  if (comments.error !== null) {
    return (
      <ErrorState title="Comments cannot be listed" message={comments.error.message} onRetry={() => comments.retry()} />
    )
  }
  if (comments.threads === null) return <SkeletonRows count={3} height={64} label="Loading the comments" />
  const { threads, drafts, box } = comments
  const commented = new Set([...threads.map(({ thread }) => thread.sessionID), ...drafts.map(({ at }) => at.sessionID)])
  commented.delete(sessionID)
  const others = [...commented].filter((id) => sessions[id] !== undefined)
  return (
    <section className={`${panel.panel} ${styles.panel}`} aria-label="Comments">
      <SessionThreads {...props} of={sessionID} comments={comments} sessions={sessions} />
      <Can do="comment">
        <p>
          <Button onClick={() => box.open({ sessionID, place: { kind: "session" }, quote: null })}>
            Comment on this session
          </Button>
        </p>
      </Can>
      {others.map((id) => (
        <div key={id} className={styles.group}>
          <h3 className={styles.groupTitle}>{sessions[id] === undefined ? "" : shortTitle(sessions[id])}</h3>
          <SessionThreads {...props} of={id} comments={comments} sessions={sessions} />
        </div>
      ))}
    </section>
  )
}

interface SessionThreadsProps extends CommentsPanelProps {
  /** The session that these threads belong to. */
  of: string
  comments: Comments
  sessions: Record<string, Session>
}

function SessionThreads({ of, comments, sessions, ...props }: SessionThreadsProps) {
  const { box } = comments
  const threads = (comments.threads ?? []).filter(({ thread }) => thread.sessionID === of)
  const drafts = comments.drafts.filter(({ at }) => at.sessionID === of)
  const names = useNames(sessions[of] ?? null, comments.threads ?? [])
  const focus = useFocus()
  const go = useGoTo(props)
  const open = threads.filter(({ thread }) => thread.resolved === null)
  const resolved = threads.filter(({ thread }) => thread.resolved !== null)
  const isShown = ({ thread }: ThreadView) => focus.commentsOn !== null && placeID(thread.anchor) === focus.commentsOn
  const card = (view: ThreadView) => (
    <ThreadCard
      key={view.thread.id}
      view={view}
      draft={drafts.find(({ at }) => "threadID" in at && at.threadID === view.thread.id) ?? null}
      box={box}
      names={names}
      agentOf={(id) => `@${sessions[id]?.agent ?? "agent"}`}
      shown={isShown(view)}
      onGo={() => void go.toPlace(of, view)}
      onOpenAnswer={(id, messageID) => void go.toAnswer(id, messageID)}
    />
  )
  const newThreads = drafts.filter(({ at }) => "place" in at)
  return (
    <>
      {newThreads.map((draft) => (
        <DraftThread key={draft.key} draft={draft} box={box} names={names} focused={focus.draft === draft.key} />
      ))}
      {open.map(card)}
      {threads.length === 0 && newThreads.length === 0 && of === props.sessionID ? (
        <p className={styles.empty}>
          This session has no comments.
          <Can do="comment"> Select words, or point at a step, to comment on them.</Can>
        </p>
      ) : null}
      {resolved.length === 0 ? null : (
        <details className={styles.resolved} open={resolved.some(isShown)}>
          <summary>{resolved.length} resolved</summary>
          {resolved.map(card)}
        </details>
      )}
      {of === props.sessionSentElsewhere ? null : (
        <SendBar rootID={props.rootID} sessionID={of} comments={comments} sessions={sessions} />
      )}
    </>
  )
}

type DraftThreadProps = Pick<Parameters<typeof CommentField>[0], "draft" | "box" | "names" | "focused">

/** A draft comment at a place without a thread. */
function DraftThread({ draft, ...props }: DraftThreadProps) {
  const { at } = draft
  if (!("place" in at)) return null
  return (
    <article className={styles.thread} aria-label={`Draft: ${placeLabel(at.place)}`}>
      <p className={styles.about}>{placeLabel(at.place)}</p>
      {at.quote === null ? null : <Quote text={at.quote} code={!isProse(at.place)} />}
      <CommentField draft={draft} label="Comment" {...props} />
    </article>
  )
}

/** The draft or thread that the list was opened for. */
function useFocus(): { draft: string | null; commentsOn: string | null } {
  const store = useCommenting() ?? emptyStore
  const focus = useSyncExternalStore(
    store.subscribe,
    () => store.get().focus,
    () => null,
  )
  return {
    draft: focus !== null && "draft" in focus ? focus.draft : null,
    commentsOn: focus !== null && "commentsOn" in focus ? focus.commentsOn : null,
  }
}

/** Navigation from a comment to what it refers to, and to the agent's answer. */
function useGoTo({ onOpenPart, onOpenSession, onOpenDiff }: Omit<CommentsPanelProps, "rootID" | "sessionID">) {
  const client = useTRPCClient()
  const store: CommentStore | null = useCommenting()
  return {
    async toPlace(sessionID: string, view: ThreadView) {
      const place = view.thread.anchor
      switch (place.kind) {
        case "session":
          return onOpenSession(sessionID)
        case "diff": {
          const { scope, path } = place
          const group = scope.kind === "task" ? `task:${scope.taskID}` : `turn:${scope.promptID}`
          return onOpenDiff({ grouping: scope.kind, at: { group, path } })
        }
        case "message": {
          const part = await firstPart(client, sessionID, place.messageID)
          return part === null ? onOpenSession(sessionID) : onOpenPart(sessionID, part)
        }
        default:
          // A part, or text in it.
          store?.reveal(place.partID)
          store?.seek(currentRange(view))
          return onOpenPart(sessionID, place.partID)
      }
    },
    async toAnswer(sessionID: string, messageID: string) {
      const part = await lastText(client, sessionID, messageID)
      return part === null ? onOpenSession(sessionID) : onOpenPart(sessionID, part)
    },
  }
}
