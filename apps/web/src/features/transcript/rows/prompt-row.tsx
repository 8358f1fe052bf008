"use client"

import type { Part } from "@docket/core/schema"
import { AtSign, FileText, GitBranch } from "lucide-react"
import { Markdown } from "../markdown/markdown.tsx"
import { fileLabel } from "./file-label.ts"
import { promptHeading } from "./prompt-heading.ts"
import type { Row } from "./row.ts"
import styles from "./rows.module.css"

/** What a person asked for. Its heading starts the turn. */
export function PromptRow({ row }: { row: Extract<Row, { kind: "prompt" }> }) {
  return (
    <div className={styles.prompt} data-synthetic={row.synthetic}>
      <h2 className="visually-hidden">{promptHeading(row)}</h2>
      {row.synthetic ? <p className={styles.synthetic}>Added by Docket</p> : null}
      {row.parts.map((part) => (
        <PromptPart key={part.id} part={part} />
      ))}
    </div>
  )
}

function PromptPart({ part }: { part: Part }) {
  switch (part.type) {
    case "text":
      return <Markdown text={part.text} streaming={false} />
    case "file":
      return (
        <span className={styles.chip}>
          <FileText size={13} aria-hidden />
          {fileLabel(part)}
        </span>
      )
    case "agent":
      return (
        <span className={styles.chip}>
          <AtSign size={13} aria-hidden />
          {part.name}
        </span>
      )
    case "subtask":
      return (
        <span className={styles.chip}>
          <GitBranch size={13} aria-hidden />
          {part.description} · @{part.agent}
        </span>
      )
    default:
      return null
  }
}
