"use client"

import { MessageSquare, MessageSquarePlus } from "lucide-react"
import { useMemo } from "react"
import { useMe } from "../../../shell/me.tsx"
import type { CommentWish } from "../../commenting/comment-store.ts"
import { useCommenting, useCommentLabel } from "../../commenting/use-commenting.ts"
import { commentedIDs, type Row } from "./row.ts"
import { linkedThing } from "./row-facts.ts"
import styles from "./rows.module.css"

/** The comment mark of a row; for a row without comments, the button that starts one. */
export function RowComments({ row }: { row: Row }) {
  const commenting = useCommenting()
  const ids = useMemo(() => commentedIDs(row), [row])
  // How many comments and drafts there are, in words; empty without any.
  const comments = useCommentLabel(ids)
  const [first] = ids
  const mayComment = useMe().can("comment")
  if (commenting === null || first === undefined) return null
  if (comments === "" && !mayComment) return null
  if (comments === "") {
    const label = `Comment on ${linkedThing(row)}`
    return (
      <button
        type="button"
        className={styles.comment}
        aria-label={label}
        title={label}
        data-aside
        data-comment
        onClick={() => commenting.wish(wishFor(row, first))}
      >
        <MessageSquarePlus size={13} aria-hidden />
      </button>
    )
  }
  const label = `${comments} on ${linkedThing(row)}`
  return (
    <button
      type="button"
      className={styles.comment}
      aria-label={label}
      title={label}
      data-aside
      data-comment
      data-said
      onClick={() => commenting.wish({ kind: "show", id: ids.find((id) => commenting.get().counts.has(id)) ?? first })}
    >
      <MessageSquare size={13} aria-hidden />
      {comments.match(/\d+/g)?.reduce((sum, count) => sum + Number(count), 0)}
    </button>
  )
}

function wishFor(row: Row, id: string): CommentWish {
  if (row.kind !== "prompt") return { kind: "part", partID: id }
  const { sessionID, id: messageID } = row.message
  return { kind: "place", sessionID, place: { kind: "message", messageID } }
}
