"use client"

import { useState } from "react"
import { countLines } from "../../ui/fold-text.ts"
import { formatCount } from "../../ui/format-count.ts"
import { LinkButton } from "../../ui/link-button.tsx"
import { fitsInPlace } from "./fits-in-place.ts"
import styles from "./long-text.module.css"
import { WholeText } from "./whole-text.tsx"

interface ShowAllProps {
  text: string
  /** Kind of text: "prompt", "answer". */
  noun: string
  /** Opens the text inline; without it, every text opens in a viewer over the page. */
  onOpen?: (() => void) | undefined
}

/** "Show all 12,000 lines": opens a folded text inline, or in a viewer if it is too long for that. */
export function ShowAll({ text, noun, onOpen }: ShowAllProps) {
  const [viewed, setViewed] = useState(false)
  const inPlace = onOpen !== undefined && fitsInPlace(text)
  const lines = countLines(text)
  return (
    <>
      <p className={styles.more}>
        <LinkButton
          aria-expanded={inPlace ? false : undefined}
          aria-haspopup={inPlace ? undefined : "dialog"}
          onClick={inPlace ? onOpen : () => setViewed(true)}
        >
          Show all {lines > 1 ? formatCount(lines, "line") : formatCount(text.length, "character")}
          <span className="visually-hidden"> of the {noun}</span>
        </LinkButton>
      </p>
      {viewed ? <WholeText text={text} noun={noun} onClose={() => setViewed(false)} /> : null}
    </>
  )
}
