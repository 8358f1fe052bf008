"use client"

import { visibleText } from "@docket/core/visible-text"
import { CopyButton } from "../../shell/copy-button.tsx"
import { DiffFigures } from "../tools/tool-header.tsx"
import styles from "./changed-files.module.css"
import type { ChangedFile } from "./changed-files.ts"
import { baseName, directoryOf } from "./file-tree.ts"
import { lackFact } from "./lack-messages.ts"

interface ChangedFileRowProps {
  file: ChangedFile
  /** Nesting level; null in a flat list, where the row shows its directory. */
  depth: number | null
  current?: boolean
  /** The file changed since the user last viewed it. */
  isNew?: boolean
  onOpen: () => void
}

/** A long name always shows this many characters of its end: its extension and what distinguishes it. */
const keptEnd = 12

const kindLetters = { added: "A", changed: "M", deleted: "D" } as const
const spoken = { added: "added", changed: "changed", deleted: "deleted" } as const

/** One file: name, line counts, and a click opens its diff. The directory is shortened before the name is. */
export function ChangedFileRow({ file, depth, current = false, isNew = false, onOpen }: ChangedFileRowProps) {
  const directory = depth === null ? visibleText(directoryOf(file.path)) : ""
  return (
    <li className={styles.row} data-current={current}>
      <button
        type="button"
        className={styles.open}
        style={{ paddingLeft: `calc(var(--dk-1) + ${depth ?? 0} * 14px)` }}
        title={visibleText(file.path)}
        aria-current={current ? "true" : undefined}
        onClick={onOpen}
      >
        <span className={styles.mark} data-kind={file.kind} aria-hidden>
          {kindLetters[file.kind]}
        </span>
        <FileName name={visibleText(baseName(file.path))} kind={file.kind} />
        <span className={styles.directory}>
          <bdi>{directory}</bdi>
        </span>
        <span className="visually-hidden">{spoken[file.kind]}</span>
        {isNew ? <span className={styles.new}>new</span> : null}
        {file.lines === null ? (
          <span className={styles.lack}>{file.lack === null ? "" : lackFact[file.lack]}</span>
        ) : (
          <DiffFigures additions={file.lines.added} deletions={file.lines.removed} />
        )}
      </button>
      <CopyPath path={file.path} />
    </li>
  )
}

/** A name that is too long is shortened in the middle, because names in one directory often begin alike. */
function FileName({ name, kind }: { name: string; kind: ChangedFile["kind"] }) {
  const cut = name.length > 2 * keptEnd ? name.length - keptEnd : name.length
  return (
    <span className={styles.name} data-kind={kind}>
      <span className={styles.nameStart}>{name.slice(0, cut)}</span>
      <span>{name.slice(cut)}</span>
    </span>
  )
}

export function CopyPath({ path }: { path: string }) {
  return <CopyButton text={path} what={`the path of ${baseName(path)}`} className={styles.copy} />
}
