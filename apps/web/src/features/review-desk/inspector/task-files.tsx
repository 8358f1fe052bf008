"use client"

import type { TaskReview } from "@docket/core"
import { formatCount } from "../../../ui/format-count.ts"
import { ChangedFileRow } from "../../changed-files/changed-file-row.tsx"
import { type ChangedFile, sumLines } from "../../changed-files/changed-files.ts"
import { DiffFigures } from "../../tools/tool-header.tsx"
import { isNewSince } from "../task/changes-of.ts"
import { KnownFiles } from "./known-files.tsx"
import styles from "./task-files.module.css"
import { useTaskFiles } from "./use-task-files.ts"

interface TaskFilesProps {
  rootID: string
  taskID: string | null
  viewed: TaskReview["viewed"]
  /** Shows the diff. */
  onOpen(path: string): void
}

/** The files that a task changed. Files changed since the user's last look are marked. */
export function TaskFiles({ rootID, taskID, viewed, onOpen }: TaskFilesProps) {
  const { query, files } = useTaskFiles(rootID, taskID)
  return (
    <KnownFiles query={query} files={files} rows={3}>
      {(known) => <FileList files={known} viewed={viewed} onOpen={onOpen} />}
    </KnownFiles>
  )
}

interface FileListProps extends Pick<TaskFilesProps, "viewed" | "onOpen"> {
  files: readonly ChangedFile[]
}

function FileList({ files, viewed, onOpen }: FileListProps) {
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
