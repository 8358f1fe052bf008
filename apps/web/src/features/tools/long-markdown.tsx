"use client"

import { useMemo, useState } from "react"
import type { ShownLines } from "../../ui/fold-text.ts"
import { LinkButton } from "../../ui/link-button.tsx"
import { foldMarkdown } from "../markdown/fold-markdown.ts"
import { Markdown } from "../markdown/markdown.tsx"
import { fitsInPlace } from "./fits-in-place.ts"
import styles from "./long-text.module.css"
import { ShowAll } from "./show-all.tsx"
import { besideLines } from "./shown-lines.ts"

interface LongMarkdownProps {
  text: string
  /** Kind of text: "prompt", "answer". */
  noun: string
  streaming?: boolean
  shown?: ShownLines
  /** The reader's choice if the caller stores it; otherwise it is kept while the text is mounted. */
  open?: boolean
  onOpen?: (open: boolean) => void
}

/** Markdown of any length. A long text shows its beginning and end, and all of it on request. */
export function LongMarkdown(props: LongMarkdownProps) {
  const { text, noun, streaming = false, shown = besideLines } = props
  const [ownOpen, setOwnOpen] = useState(false)
  const open = (props.open ?? ownOpen) && fitsInPlace(text)
  const setOpen = props.onOpen ?? setOwnOpen
  const folded = useMemo(() => foldMarkdown(text, shown), [text, shown])
  if (folded === null) return <Markdown text={text} streaming={streaming} />
  if (open)
    return (
      <>
        <Markdown text={text} streaming={streaming} />
        <p className={styles.more}>
          <LinkButton aria-expanded onClick={() => setOpen(false)}>
            Show less<span className="visually-hidden"> of the {noun}</span>
          </LinkButton>
        </p>
      </>
    )
  return (
    <>
      <Markdown text={folded.head} streaming={false} />
      <ShowAll text={text} noun={noun} onOpen={() => setOpen(true)} />
      {folded.tail === "" ? null : <Markdown text={folded.tail} streaming={streaming} />}
    </>
  )
}
