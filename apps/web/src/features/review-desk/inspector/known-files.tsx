"use client"

import type { ReactNode } from "react"
import { ErrorState } from "../../../ui/error-state.tsx"
import panel from "../../../ui/panel.module.css"
import { SkeletonRows } from "../../../ui/skeleton-rows.tsx"
import type { ChangedFile } from "../../changed-files/changed-files.ts"
import type { useTaskFiles } from "./use-task-files.ts"

interface KnownFilesProps extends Pick<ReturnType<typeof useTaskFiles>, "query" | "files"> {
  /** Number of placeholder rows while the files are loading. */
  rows: number
  children(files: readonly ChangedFile[]): ReactNode
}

/** Renders the files that a task changed; or a placeholder, an error, or a note that nothing changed. */
export function KnownFiles({ query, files, rows, children }: KnownFilesProps) {
  if (files === null && query.error !== null)
    return (
      <ErrorState
        title="The changes cannot be shown"
        message={query.error.message}
        onRetry={() => void query.refetch()}
      />
    )
  if (files === null) return <SkeletonRows count={rows} label="Loading the changed files" />
  if (files.length === 0) return <p className={panel.empty}>It changed no file.</p>
  return children(files)
}
