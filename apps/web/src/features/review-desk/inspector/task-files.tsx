"use client"

import type { TaskReview } from "@docket/core"
import { ErrorState } from "../../../ui/error-state.tsx"
import { formatCount } from "../../../ui/format-count.ts"
import panel from "../../../ui/panel.module.css"
import { SkeletonRows } from "../../../ui/skeleton-rows.tsx"
import { ChangedFileRow } from "../../changed-files/changed-file-row.tsx"
import { sumLines } from "../../changed-files/changed-files.ts"
import { DiffFigures } from "../../tools/tool-header.tsx"
import { isNewSince } from "../task/changes-of.ts"
import styles from "./task-files.module.css"
import { useTaskFiles } from "./use-task-files.ts"

interface TaskFilesProps {
  rootID: string
  taskID: string | null
  viewed: TaskReview["viewed"]
  /** Shows the diff. */
  onOpen(path: string): void
}

/** The files that a task changed, with those that are new to the reader marked. */
export function TaskFiles({ rootID, taskID, viewed, onOpen }: TaskFilesProps) {
  const { query, files } = useTaskFiles(rootID, taskID)
  if (files === null && query.error !== null) {
    return (
      <ErrorState
        title="The changes cannot be shown"
        message={query.error.message}
        onRetry={() => void query.refetch()}
      />
    )
  }
  if (files === null) return <SkeletonRows count={3} label="Loading the changed files" />
  if (files.length === 0) return <p className={panel.empty}>It changed no file.</p>
  const sum = sumLines(files)
  return (
    <section aria-label="Changed files">
      <p className={styles.sum}>
        {formatCount(files.length, "file")}
        <DiffFigures additions={sum.added} deletions={sum.removed} />
      </p>
      <ul className={styles.list}>
        {files.map((file) => (
          <ChangedFileRow
            key={file.path}
            file={file}
            depth={null}
            isNew={isNewSince(file, viewed)}
            onOpen={() => onOpen(file.path)}
          />
        ))}
      </ul>
    </section>
  )
}
