"use client"

import { MessageSquare } from "lucide-react"
import styles from "./comment-count.module.css"
import { useCommentLabel } from "./use-commenting.ts"

/** The comments of a session, as a label in a list of sessions; renders nothing without comments. */
export function CommentCount({ id }: { id: string }) {
  const words = useCommentLabel([id])
  if (words === "") return null
  return (
    <span className={styles.count} title={words}>
      <MessageSquare size={11} aria-hidden />
      {/* The sum of the numbers of threads and drafts that the label names. */}
      <span aria-hidden>{words.match(/\d+/g)?.reduce((sum, count) => sum + Number(count), 0)}</span>
      <span className="visually-hidden">{words}</span>
    </span>
  )
}
