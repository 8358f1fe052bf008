"use client"

import { useTRPC } from "@docket/client/react"
import { useQuery } from "@tanstack/react-query"
import { LinkButton } from "../../ui/link-button.tsx"
import { SkeletonRows } from "../../ui/skeleton-rows.tsx"
import styles from "./todo-board.module.css"

interface TodoEvidenceProps {
  todoID: string
  onOpenPart(sessionID: string, partID: string): void
}

const clock = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hour12: false })

/** Where in the transcript an item was worked on. */
export function TodoEvidence({ todoID, onOpenPart }: TodoEvidenceProps) {
  const trpc = useTRPC()
  const evidence = useQuery(trpc.todo.evidence.queryOptions({ todo: todoID }))
  if (evidence.isPending) return <SkeletonRows count={1} height={24} label="Loading the evidence" />
  if (evidence.isError) return <p className={styles.note}>{evidence.error.message}</p>
  const spans = evidence.data?.spans ?? []
  if (evidence.data === null || spans.length === 0) return <p className={styles.note}>Nobody has worked on it yet.</p>
  const { sessionID } = evidence.data
  return (
    <ul aria-label="Evidence">
      {spans.map((span) => {
        const words = `${clock.format(span.startedAt)} – ${span.endedAt === null ? "now" : clock.format(span.endedAt)}`
        const part = span.fromPartID ?? span.toPartID
        return (
          <li key={span.startedAt}>
            {part === null ? (
              <span className={styles.note}>Worked on {words}</span>
            ) : (
              <LinkButton onClick={() => onOpenPart(sessionID, part)}>Worked on {words}</LinkButton>
            )}
          </li>
        )
      })}
    </ul>
  )
}
