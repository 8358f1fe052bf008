"use client"

import { useState } from "react"
import { LinkButton } from "../../ui/link-button.tsx"
import { Markdown } from "../markdown/markdown.tsx"
import { LongMarkdown } from "../tools/long-markdown.tsx"
import { answerLines } from "../tools/shown-lines.ts"
import styles from "./child.module.css"
import { foldedLength } from "./folded-length.ts"

interface BriefAndResultProps {
  /** Null when it is not known. */
  prompt: string | null
  result: string | null
  /** Shown while there is no result. */
  pending: string
}

/** The brief of a child session and its result, side by side, each folded to a few lines. */
export function BriefAndResult({ prompt, result, pending }: BriefAndResultProps) {
  return (
    <div className={styles.pair}>
      {prompt === null ? null : <Folded title="Brief" text={prompt} />}
      {result === null ? (
        <section className={styles.box}>
          <h2>Result</h2>
          <p className={styles.pending}>{pending}</p>
        </section>
      ) : (
        <Folded title="Result" text={result} />
      )}
    </div>
  )
}

/** Texts up to this size are not folded (UTF-16 units, lines). */
const short = { units: 240, lines: 3 }

function Folded({ title, text }: { title: string; text: string }) {
  const [open, setOpen] = useState(false)
  const folds = text.length > short.units || text.split("\n").length > short.lines
  return (
    <section className={styles.box}>
      <h2>{title}</h2>
      <div className={styles.text} data-folded={folds && !open}>
        {open ? (
          <LongMarkdown text={text} noun={title.toLowerCase()} shown={answerLines} />
        ) : (
          <Markdown text={folds ? text.slice(0, foldedLength) : text} streaming={false} />
        )}
      </div>
      {folds ? (
        <LinkButton aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Show less" : "Show all"}
          <span className="visually-hidden"> of the {title.toLowerCase()}</span>
        </LinkButton>
      ) : null}
    </section>
  )
}
