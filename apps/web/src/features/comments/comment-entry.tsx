"use client"

import { useTRPC } from "@docket/client/react"
import type { ReviewComment } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { useMe } from "../../shell/me.tsx"
import { showProblem } from "../../shell/show-problem.ts"
import { LinkButton } from "../../ui/link-button.tsx"
import { Initials, PersonName } from "../../ui/person.tsx"
import { personInSentence } from "../../ui/person-names.ts"
import { RelativeTime } from "../../ui/relative-time.tsx"
import { usePeople } from "../../ui/use-people.ts"
import { useAutosize } from "../composer/use-autosize.ts"
import { LongMarkdown } from "../tools/long-markdown.tsx"
import { sentLabel } from "./comment-labels.ts"
import styles from "./comments.module.css"

interface CommentEntryProps {
  comment: ReviewComment
  /** The agent that received it, as in "@explore". */
  agent: string
  onOpenAnswer(sessionID: string, messageID: string): void
}

/** One comment of a thread: author, time, text, and what the agent did with it. */
export function CommentEntry({ comment, agent, onOpenAnswer }: CommentEntryProps) {
  const { by, time, text, sent, answer } = comment
  const [editing, setEditing] = useState(false)
  const words = sentLabel(comment, agent)
  const people = usePeople()
  const { can } = useMe()
  const isDeleted = time.deleted !== null
  const canChange = by.person === people.me && can("comment") && !isDeleted
  return (
    <article
      className={styles.entry}
      aria-label={`Comment of ${personInSentence(by, people)}`}
      data-comment-id={comment.id}
    >
      <p className={styles.by}>
        <Initials person={by} />
        <PersonName person={by} />
        <RelativeTime time={time.created} />
        {time.edited === null || isDeleted ? null : <span>edited</span>}
      </p>
      {isDeleted ? <p className={styles.deleted}>This comment was deleted.</p> : null}
      {!isDeleted && editing ? <EditForm comment={comment} onClose={() => setEditing(false)} /> : null}
      {!isDeleted && !editing ? (
        <div className={styles.said}>
          <LongMarkdown text={text} noun="comment" />
        </div>
      ) : null}
      {words === null ? null : (
        <p className={styles.sent}>
          {words}{" "}
          {sent !== null && answer !== null ? (
            <LinkButton onClick={() => onOpenAnswer(sent.sessionID, answer.messageID)}>Go to the answer</LinkButton>
          ) : null}
        </p>
      )}
      {canChange && !editing ? <OwnActions commentID={comment.id} onEdit={() => setEditing(true)} /> : null}
    </article>
  )
}

function OwnActions({ commentID, onEdit }: { commentID: string; onEdit: () => void }) {
  const trpc = useTRPC()
  const [confirming, setConfirming] = useState(false)
  const remove = useMutation(trpc.review.thread.delete.mutationOptions({ onError: showProblem }))
  return (
    <p className={styles.actions}>
      {confirming ? (
        <>
          Delete this comment?{" "}
          <LinkButton disabled={remove.isPending} onClick={() => remove.mutate({ commentID })}>
            Delete
          </LinkButton>{" "}
          <LinkButton onClick={() => setConfirming(false)}>Keep</LinkButton>
        </>
      ) : (
        <>
          <LinkButton onClick={onEdit}>Edit</LinkButton>{" "}
          <LinkButton onClick={() => setConfirming(true)}>Delete</LinkButton>
        </>
      )}
    </p>
  )
}

/** The form that edits a comment. The text stays in the field when saving fails. */
function EditForm({ comment, onClose }: { comment: ReviewComment; onClose: () => void }) {
  const trpc = useTRPC()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(comment.text)
  const edit = useMutation(trpc.review.thread.edit.mutationOptions({ onSuccess: onClose }))
  useAutosize(field, text)
  const save = () => edit.mutate({ commentID: comment.id, text })
  return (
    <div className={styles.field}>
      <textarea
        ref={field}
        className={styles.text}
        rows={2}
        aria-label="Edit the comment"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save()
        }}
      />
      <div className={styles.fieldFoot}>
        <p role="status" className={styles.state} data-is={edit.error ? "refused" : "kept"}>
          {edit.error?.message}
        </p>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="filled" disabled={text.trim() === ""} loading={edit.isPending} onClick={save}>
          Save
        </Button>
      </div>
    </div>
  )
}
