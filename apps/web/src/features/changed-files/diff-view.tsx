"use client"

import { useMediaQuery } from "@mantine/hooks"
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react"
import { Dialog } from "../../shell/dialog.tsx"
import { ChoiceField } from "../../ui/choice-field.tsx"
import panel from "../../ui/panel.module.css"
import { SkeletonRows } from "../../ui/skeleton-rows.tsx"
import { useSingleKeys } from "../keyboard/single-keys.tsx"
import { type FileGroup, groupFiles } from "./changed-files.ts"
import { type DiffTarget, type FileAim, type FilePlace, filePlaces, moveInFiles, settlePlace } from "./diff-target.ts"
import styles from "./diff-view.module.css"
import { FileDiff } from "./file-diff.tsx"
import { FileLines } from "./files-panel.tsx"
import { SidesChoice } from "./sides-choice.tsx"
import { useFilesLayout } from "./use-files-layout.ts"
import { useTreeChanges } from "./use-tree-changes.ts"

export interface DiffViewProps {
  rootID: string
  target: DiffTarget
  /** Opens the call that made a change. */
  onOpenPart(sessionID: string, partID: string): void
  onClose(): void
}

/** Diffs of the changed files over the whole width, with the file list beside them: `j` and `k` move between files. */
export function DiffView({ rootID, target, onOpenPart, onClose }: DiffViewProps) {
  const { query, tasks } = useTreeChanges(rootID)
  const [layout, setLayout] = useFilesLayout()
  const [aim, setAim] = useState<FileAim>({ at: target.at, further: 0 })
  const choose = (at: FilePlace) => setAim({ at, further: 0 })
  const groups = useMemo(
    () => (query.data === undefined ? [] : groupFiles(query.data, tasks, target.grouping)),
    [query.data, tasks, target.grouping],
  )
  const places = useMemo(() => filePlaces(groups), [groups])
  const place = settlePlace(places, aim)
  const file = groups.find(({ key }) => key === place?.group)?.files.find(({ path }) => path === place?.path)
  const narrow = useMediaQuery("(max-width: 767px)", undefined, { getInitialValueInEffect: false })
  const split = layout.split && !narrow
  const onKeyDown = useMoveKeys((by) => setAim(moveInFiles(places, aim, by)))
  return (
    <Dialog
      opened
      isView
      fullScreen
      onClose={onClose}
      onKeyDown={onKeyDown}
      title="Changed files"
      classNames={{ content: styles.content ?? "", header: styles.header ?? "", body: styles.body ?? "" }}
    >
      {narrow ? <FileChoice places={places} place={place} onChoose={choose} /> : null}
      {narrow ? null : <FileList groups={groups} tree={layout.tree} place={place} onChoose={choose} />}
      <div className={styles.main}>
        {narrow ? null : (
          <SidesChoice
            className={styles.sides}
            split={split}
            onChange={(chosen) => setLayout({ ...layout, split: chosen })}
          />
        )}
        {query.data === undefined ? <SkeletonRows count={8} label="Loading the changed files" /> : null}
        {query.data !== undefined && file === undefined ? (
          <p className={panel.empty}>No file was changed yet.</p>
        ) : null}
        {file === undefined ? null : (
          <FileDiff key={file.path} rootID={rootID} file={file} tasks={tasks} split={split} onOpenPart={onOpenPart} />
        )}
      </div>
    </Dialog>
  )
}

interface ListProps {
  groups: readonly FileGroup[]
  tree: boolean
  place: FilePlace | null
  onChoose: (place: FilePlace) => void
}

function FileList({ groups, tree, place, onChoose }: ListProps) {
  const list = useRef<HTMLElement>(null)
  const key = `${place?.group}\n${place?.path}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: the file that is shown stays in sight
  useEffect(() => {
    list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" })
  }, [key])
  return (
    <nav ref={list} className={styles.list} aria-label="Files">
      {groups.map((group) => (
        <div key={group.key}>
          {group.title === null ? null : (
            <h3 className={styles.groupTitle} title={group.title}>
              {group.title}
            </h3>
          )}
          <FileLines
            group={group}
            tree={tree}
            current={group.key === place?.group ? place.path : null}
            onOpen={(path) => onChoose({ group: group.key, path })}
          />
        </div>
      ))}
    </nav>
  )
}

/** The file list on a phone. */
function FileChoice({
  places,
  place,
  onChoose,
}: {
  places: readonly FilePlace[]
  place: FilePlace | null
  onChoose: (place: FilePlace) => void
}) {
  const index = places.findIndex((one) => one.group === place?.group && one.path === place?.path)
  return (
    <ChoiceField
      label="File"
      value={String(index)}
      choices={places.map(({ path }, value) => ({ value: String(value), label: path }))}
      onChange={(value) => {
        const chosen = places[Number(value)]
        if (chosen !== undefined) onChoose(chosen)
      }}
    />
  )
}

/** `j` and `k` in a dialog, where the page's own shortcuts are off. */
function useMoveKeys(move: (by: 1 | -1) => void) {
  const { enabled } = useSingleKeys()
  return (event: KeyboardEvent) => {
    if (!enabled || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target instanceof HTMLElement && event.target.matches("select, input, textarea")) return
    const by = event.key === "j" ? 1 : event.key === "k" ? -1 : null
    if (by === null) return
    event.preventDefault()
    move(by)
  }
}
