"use client"

import { visibleText } from "@docket/core/visible-text"
import { FolderTree, List, Maximize2 } from "lucide-react"
import { useMemo } from "react"
import { ChoiceField } from "../../ui/choice-field.tsx"
import { ErrorState } from "../../ui/error-state.tsx"
import { formatCount } from "../../ui/format-count.ts"
import { IconButton } from "../../ui/icon-button.tsx"
import panel from "../../ui/panel.module.css"
import { SkeletonRows } from "../../ui/skeleton-rows.tsx"
import { DiffFigures } from "../tools/tool-header.tsx"
import { ChangedFileRow } from "./changed-file-row.tsx"
import styles from "./changed-files.module.css"
import { type FileGroup, groupFiles, groupings, sumLines } from "./changed-files.ts"
import { DescribeChanges } from "./describe-changes.tsx"
import type { DiffTarget } from "./diff-target.ts"
import { type FileNode, fileTree } from "./file-tree.ts"
import { unseenMessages } from "./lack-messages.ts"
import { useFilesLayout } from "./use-files-layout.ts"
import { useTreeChanges } from "./use-tree-changes.ts"

interface FilesPanelProps {
  rootID: string
  /** Shows diffs over the whole width. */
  onOpenDiff(target: DiffTarget): void
}

const groupingNames = { all: "All together", turn: "By turn", task: "By task" } as const
const choices = groupings.map((value) => ({ value, label: groupingNames[value] }))

/** Every file that the tree changed, also by commands, with line counts; a click shows the diff. */
export function FilesPanel({ rootID, onOpenDiff }: FilesPanelProps) {
  const { query, tasks } = useTreeChanges(rootID)
  const [layout, setLayout] = useFilesLayout()
  const { data } = query
  const groups = useMemo(
    () => (data === undefined ? [] : groupFiles(data, tasks, layout.grouping)),
    [data, tasks, layout.grouping],
  )
  if (data === undefined && query.error !== null) {
    return (
      <ErrorState
        title="The changes cannot be shown"
        message={query.error.message}
        onRetry={() => void query.refetch()}
      />
    )
  }
  if (data === undefined) return <SkeletonRows count={4} label="Loading the changed files" />
  return (
    <section className={panel.panel} aria-label="Changed files">
      {data.changes.length === 0 ? (
        <p className={panel.empty}>No file was changed yet.</p>
      ) : (
        <div className={styles.tools}>
          <ChoiceField
            label="Show"
            value={layout.grouping}
            choices={choices}
            onChange={(value) => {
              const grouping = groupings.find((one) => one === value)
              if (grouping !== undefined) setLayout({ ...layout, grouping })
            }}
          />
          <IconButton
            label={layout.tree ? "Show as a list" : "Show as a tree"}
            onClick={() => setLayout({ ...layout, tree: !layout.tree })}
          >
            {layout.tree ? <List size={15} /> : <FolderTree size={15} />}
          </IconButton>
          <IconButton label="Show all diffs (d)" onClick={() => onOpenDiff({ grouping: layout.grouping, at: null })}>
            <Maximize2 size={14} />
          </IconButton>
        </div>
      )}
      {data.changes.length === 0 ? null : <DescribeChanges rootID={rootID} />}
      {groups.map((group) => (
        <Group
          key={group.key}
          group={group}
          tree={layout.tree}
          onOpen={(path) => onOpenDiff({ grouping: layout.grouping, at: { group: group.key, path } })}
        />
      ))}
      {data.unseen === null ? null : <p className={panel.empty}>{unseenMessages[data.unseen]}</p>}
      {data.truncated ? <p className={panel.empty}>Older changes are not listed.</p> : null}
    </section>
  )
}

function Group({ group, tree, onOpen }: { group: FileGroup; tree: boolean; onOpen: (path: string) => void }) {
  const sum = sumLines(group.files)
  return (
    <div className={styles.group}>
      <div className={styles.groupHead}>
        <h3 className={styles.groupTitle} title={group.title ?? undefined}>
          {group.title ?? formatCount(group.files.length, "file")}
        </h3>
        <DiffFigures additions={sum.added} deletions={sum.removed} />
      </div>
      <FileLines group={group} tree={tree} onOpen={onOpen} />
    </div>
  )
}

interface FileLinesProps {
  group: FileGroup
  tree: boolean
  current?: string | null
  onOpen: (path: string) => void
}

/** The files of a group, flat or below their directories. */
export function FileLines({ group, tree, current = null, onOpen }: FileLinesProps) {
  const lines: FileNode[] = tree
    ? fileTree(group.files)
    : group.files.map((file) => ({ kind: "file", file, name: file.path, depth: 0 }))
  return (
    <ul className={styles.files}>
      {lines.map((line) =>
        line.kind === "directory" ? (
          <li
            key={line.path}
            className={styles.folder}
            style={{ paddingLeft: `calc(var(--dk-1) + ${line.depth} * 14px)` }}
            title={visibleText(line.path)}
          >
            {visibleText(line.name)}
          </li>
        ) : (
          <ChangedFileRow
            key={line.file.path}
            file={line.file}
            depth={tree ? line.depth : null}
            current={line.file.path === current}
            onOpen={() => onOpen(line.file.path)}
          />
        ),
      )}
    </ul>
  )
}
