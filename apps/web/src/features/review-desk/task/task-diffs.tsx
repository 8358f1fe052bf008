"use client"

import { useMediaQuery } from "@mantine/hooks"
import { type ReactNode, useEffect, useRef } from "react"
import { formatCount } from "../../../ui/format-count.ts"
import { type ChangedFile, sumLines } from "../../changed-files/changed-files.ts"
import { DescribeChanges } from "../../changed-files/describe-changes.tsx"
import { FileDiff } from "../../changed-files/file-diff.tsx"
import { SidesChoice } from "../../changed-files/sides-choice.tsx"
import { useFilesLayout } from "../../changed-files/use-files-layout.ts"
import { useKeys } from "../../keyboard/use-keys.ts"
import { DiffFigures } from "../../tools/tool-header.tsx"
import { KnownFiles } from "../inspector/known-files.tsx"
import styles from "../inspector/task-files.module.css"
import { useTaskFiles } from "../inspector/use-task-files.ts"

interface TaskDiffsProps {
  rootID: string
  taskID: string | null
  /** The file to scroll to. */
  path: string | null
  onOpenPart(sessionID: string, partID: string): void
}

/** All changes of a task, file by file, in the full width of the desk. */
export function TaskDiffs({ rootID, taskID, ...shown }: TaskDiffsProps) {
  const { query, tasks, files } = useTaskFiles(rootID, taskID)
  return (
    <KnownFiles query={query} files={files} rows={8}>
      {(known) => (
        <Diffs rootID={rootID} tasks={tasks} files={known} {...shown}>
          {taskID === null ? <DescribeChanges rootID={rootID} /> : null}
        </Diffs>
      )}
    </KnownFiles>
  )
}

interface DiffsProps extends Pick<TaskDiffsProps, "rootID" | "path" | "onOpenPart"> {
  tasks: ReturnType<typeof useTaskFiles>["tasks"]
  files: readonly ChangedFile[]
  /** Shown above the diffs. */
  children: ReactNode
}

function Diffs({ rootID, tasks, files, path, onOpenPart, children }: DiffsProps) {
  const [layout, setLayout] = useFilesLayout()
  const narrow = useMediaQuery("(max-width: 1023px)", undefined, { getInitialValueInEffect: false })
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (path === null) return
    list.current?.querySelector(`[data-path="${CSS.escape(path)}"]`)?.scrollIntoView({ block: "start" })
  }, [path])
  useKeys({ j: () => list.current && goToFile(list.current, 1), k: () => list.current && goToFile(list.current, -1) })
  const sum = sumLines(files)
  const split = layout.split && !narrow
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.diffs} aria-label="Diffs" tabIndex={0} ref={list}>
      <div className={styles.tools}>
        <span className={styles.sum}>
          {formatCount(files.length, "file")}
          <DiffFigures additions={sum.added} deletions={sum.removed} />
        </span>
        {narrow ? null : <SidesChoice split={split} onChange={(chosen) => setLayout({ ...layout, split: chosen })} />}
      </div>
      {children}
      {files.map((file) => (
        <div key={file.path} data-path={file.path} className={styles.diff}>
          <FileDiff rootID={rootID} file={file} tasks={tasks} split={split} onOpenPart={onOpenPart} />
        </div>
      ))}
    </section>
  )
}

/** A file whose header is at most this far below the upper edge counts as the current one (px). */
const readWithin = 64

/** Scrolls to the file after or before the current one. */
function goToFile(list: HTMLElement, by: 1 | -1): void {
  const files = [...list.querySelectorAll("[data-path]")]
  const edge = list.getBoundingClientRect().top + readWithin
  const at = files.findLastIndex((file) => file.getBoundingClientRect().top <= edge)
  files[Math.max(0, Math.min(files.length - 1, at + by))]?.scrollIntoView({ block: "start" })
}
