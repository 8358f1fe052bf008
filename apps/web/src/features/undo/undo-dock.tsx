"use client"

import type { LeftFile, SessionRevert } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { Redo2, Undo2 } from "lucide-react"
import { formatCount } from "../../ui/format-count.ts"
import { ByPerson } from "../../ui/person.tsx"
import styles from "./undo.module.css"
import { whatIsUndone } from "./what-is-undone.ts"

interface UndoDockProps {
  revert: SessionRevert
  /** The undone messages are shown, dimmed. */
  shown: boolean
  pending: boolean
  onShow(shown: boolean): void
  /** Null for a user without the right to redo. */
  onRedo: (() => void) | null
}

const why: Record<LeftFile["reason"], string> = {
  changed: "changed since by someone else",
  too_large: "too large to keep",
  expired: "its snapshot is gone",
  blocked: "cannot be written",
  outside: "outside of the project",
  no_git: "the project has no git",
}

/** Says what is undone, until the user redoes it or sends the next prompt, which removes it. */
export function UndoDock({ revert, shown, pending, onShow, onRedo }: UndoDockProps) {
  const { files } = revert
  const moving = pending || files.state === "undoing" || files.state === "redoing"
  return (
    <section className={styles.dock} aria-label="Undone">
      <Undo2 size={15} aria-hidden className={styles.icon} />
      <div className={styles.words}>
        <p>
          <strong>
            {whatIsUndone(revert)}
            {files.count > 0 ? `, ${formatCount(files.count, "file")} restored` : ""}.
          </strong>{" "}
          <ByPerson by={revert.by} />{" "}
          {files.state === "undoing" ? "Files are going back…" : "The next prompt removes it for good."}
        </p>
        {files.note === null ? null : <p className={styles.note}>{files.note}</p>}
        <Files title={formatCount(files.count, "restored file")} count={files.count} lines={files.paths} />
        <Files
          title={`${formatCount(files.left.length, "file")} left as ${files.left.length === 1 ? "it is" : "they are"}`}
          count={files.left.length}
          lines={files.left.map(({ path, reason }) => `${path} (${why[reason]})`)}
        />
      </div>
      <div className={styles.actions}>
        <Button variant="subtle" color="gray" onClick={() => onShow(!shown)}>
          {shown ? "Hide" : "Show"}
        </Button>
        {onRedo === null ? null : (
          <Button leftSection={<Redo2 size={14} aria-hidden />} disabled={moving} onClick={onRedo}>
            Redo
          </Button>
        )}
      </div>
    </section>
  )
}

function Files({ title, count, lines }: { title: string; count: number; lines: string[] }) {
  if (count === 0) return null
  return (
    <details className={styles.files}>
      <summary>{title}</summary>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
        {count > lines.length ? <li>and {count - lines.length} more</li> : null}
      </ul>
    </details>
  )
}
