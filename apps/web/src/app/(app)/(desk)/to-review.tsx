"use client"

import type { UnjudgedTask } from "@docket/core"
import { Button } from "@mantine/core"
import { useState } from "react"
import { ErrorState } from "../../../ui/error-state.tsx"
import { formatCount } from "../../../ui/format-count.ts"
import { LinkButton } from "../../../ui/link-button.tsx"
import styles from "./inbox.module.css"
import { InboxSection } from "./inbox-section.tsx"
import { TaskRow } from "./task-row.tsx"
import { useApproval } from "./use-approval.ts"
import type { ReviewInbox } from "./use-reviews.ts"

/** Finished tasks that the user has not judged. Several completed ones can be approved at once. */
export function ToReview({ inbox }: { inbox: ReviewInbox }) {
  const items = inbox.data?.pages.flatMap((page) => page.items) ?? []
  const [selecting, setSelecting] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const approval = useApproval()
  const chosenIDs = items.flatMap(({ task }) => (chosen.has(task.id) ? [task.id] : []))
  const stopSelecting = () => {
    setSelecting(false)
    setChosen(new Set())
  }
  const choose = (id: string, on: boolean) =>
    setChosen(new Set(on ? [...chosen, id] : [...chosen].filter((it) => it !== id)))

  if (inbox.isLoadingError)
    return (
      <ErrorState
        title="What is to review cannot be loaded"
        message={inbox.error.message}
        onRetry={() => void inbox.refetch()}
      />
    )
  return (
    <>
      <InboxSection
        title="To review"
        count={items.length}
        more={inbox.hasNextPage}
        actions={
          selecting ? (
            <span className={styles.buttons}>
              <Button
                variant="filled"
                disabled={chosenIDs.length === 0}
                loading={approval.isPending}
                onClick={() => void approval.approve(chosenIDs).then(stopSelecting)}
              >
                Approve {chosenIDs.length}
              </Button>
              <Button onClick={stopSelecting}>Cancel</Button>
            </span>
          ) : items.some(isApprovable) ? (
            <LinkButton onClick={() => setSelecting(true)}>Select</LinkButton>
          ) : null
        }
        after={
          inbox.hasNextPage ? (
            <Button
              variant="subtle"
              className={styles.more}
              loading={inbox.isFetchingNextPage}
              onClick={() => void inbox.fetchNextPage()}
            >
              Older tasks
            </Button>
          ) : null
        }
      >
        {items.map((item) => (
          <TaskRow
            key={item.task.id}
            item={item}
            select={
              selecting ? (
                <input
                  type="checkbox"
                  className={styles.select}
                  aria-label={`Select ${item.task.description}`}
                  disabled={!isApprovable(item)}
                  checked={chosen.has(item.task.id)}
                  onChange={(event) => choose(item.task.id, event.currentTarget.checked)}
                />
              ) : null
            }
          />
        ))}
      </InboxSection>
      {approval.approved.length > 0 ? (
        <p className={styles.approved} role="status">
          {formatCount(approval.approved.length, "task")} approved.{" "}
          <LinkButton onClick={() => void approval.undo()}>Undo</LinkButton>
        </p>
      ) : null}
    </>
  )
}

/** Failed and stopped tasks must be looked at one by one. */
function isApprovable({ task }: UnjudgedTask): boolean {
  return task.state === "completed"
}
