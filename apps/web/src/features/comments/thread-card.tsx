"use client"

import { useTRPC } from "@docket/client/react"
import type { ThreadView } from "@docket/core"
import { useMutation } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { Can } from "../../shell/me.tsx"
import { showProblem } from "../../shell/show-problem.ts"
import { LinkButton } from "../../ui/link-button.tsx"
import { CommentEntry } from "./comment-entry.tsx"
import { CommentField } from "./comment-field.tsx"
import { isProse, placeLabel, stateLabel } from "./comment-labels.ts"
import styles from "./comments.module.css"
import type { DraftBox, LocalDraft } from "./draft-box.ts"
import { Quote } from "./quote.tsx"

interface ThreadCardProps {
  view: ThreadView
  /** The user's draft reply. */
  draft: LocalDraft | null
  box: DraftBox
  names: readonly string[]
  /** The agent of a session, as in "@explore". */
  agentOf(sessionID: string): string
  /** The user opened the list to see this thread. */
  shown: boolean
  onGo(): void
  onOpenAnswer(sessionID: string, messageID: string): void
}

/** A thread about one place: its subject, its comments, and its actions. */
export function ThreadCard({ view, draft, box, names, agentOf, shown, onGo, onOpenAnswer }: ThreadCardProps) {
  const { thread, comments, anchor } = view
  const trpc = useTRPC()
  const announce = useAnnounce()
  const card = useRef<HTMLElement>(null)
  const resolve = useMutation(
    trpc.review.thread.resolve.mutationOptions({ onSuccess: () => announce("Resolved"), onError: showProblem }),
  )
  const reopen = useMutation(
    trpc.review.thread.reopen.mutationOptions({ onSuccess: () => announce("Open again"), onError: showProblem }),
  )
  useEffect(() => {
    if (!shown) return
    card.current?.scrollIntoView({ block: "nearest" })
    card.current?.focus({ preventScroll: true })
  }, [shown])
  const quote = "quote" in thread.anchor ? thread.anchor.quote : null
  const placeChange = stateLabel(anchor, quote !== null)
  const threadID = thread.id
  return (
    <article
      ref={card}
      tabIndex={-1}
      className={styles.thread}
      aria-label={`Thread: ${placeLabel(thread.anchor)}`}
      data-shown={shown}
    >
      <p className={styles.about}>
        {anchor.state === "gone" ? (
          <span>{placeLabel(thread.anchor)}</span>
        ) : (
          <LinkButton onClick={onGo}>{placeLabel(thread.anchor)}</LinkButton>
        )}
      </p>
      {placeChange === null ? null : <p className={styles.gone}>{placeChange}</p>}
      {quote === null ? null : <Quote text={quote} code={!isProse(thread.anchor)} />}
      {comments.map((comment) => (
        <CommentEntry
          key={comment.id}
          comment={comment}
          agent={agentOf(comment.sent?.sessionID ?? thread.sessionID)}
          onOpenAnswer={onOpenAnswer}
        />
      ))}
      {draft === null ? null : (
        <CommentField draft={draft} box={box} label="Answer" names={names} focused={draft.text === ""} />
      )}
      <Can do="comment">
        <p className={styles.actions}>
          {draft === null ? (
            <LinkButton onClick={() => box.open({ sessionID: thread.sessionID, threadID })}>Answer</LinkButton>
          ) : null}{" "}
          {thread.resolved === null ? (
            <LinkButton disabled={resolve.isPending} onClick={() => resolve.mutate({ threadID })}>
              Resolve
            </LinkButton>
          ) : (
            <LinkButton disabled={reopen.isPending} onClick={() => reopen.mutate({ threadID })}>
              Open again
            </LinkButton>
          )}
        </p>
      </Can>
    </article>
  )
}
