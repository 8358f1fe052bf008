"use client"

import { useTRPC } from "@docket/client/react"
import type { Todo } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import { LinkButton } from "../../ui/link-button.tsx"
import { SkeletonRows } from "../../ui/skeleton-rows.tsx"
import { spanLabel, unworkedMessage } from "./evidence-labels.ts"
import styles from "./todo-board.module.css"

interface TodoEvidenceProps {
  todo: Pick<Todo, "id" | "status">
  onOpenPart(sessionID: string, partID: string): void
}

/** The places in the transcript where an item was worked on. */
export function TodoEvidence({ todo, onOpenPart }: TodoEvidenceProps) {
  const trpc = useTRPC()
  const evidence = useQuery(trpc.todo.evidence.queryOptions({ todo: todo.id }))
  if (evidence.isPending) return <SkeletonRows count={1} height={24} label="Loading the evidence" />
  if (evidence.isLoadingError) return <p className={styles.note}>{evidence.error.message}</p>
  const spans = evidence.data?.spans ?? []
  if (evidence.data === null || spans.length === 0) return <p className={styles.note}>{unworkedMessage(todo.status)}</p>
  const { sessionID } = evidence.data
  return (
    <ul aria-label="Evidence">
      {spans.map((span) => {
        const words = spanLabel(span)
        const part = span.fromPartID ?? span.toPartID
        return (
          <li key={span.startedAt}>
            {part === null ? (
              <span className={styles.note}>{words}</span>
            ) : (
              <LinkButton onClick={() => onOpenPart(sessionID, part)}>{words}</LinkButton>
            )}
          </li>
        )
      })}
    </ul>
  )
}
