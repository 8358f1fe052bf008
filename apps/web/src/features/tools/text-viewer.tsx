"use client"

import { Button, TextInput } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { useVirtualizer } from "@tanstack/react-virtual"
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react"
import { Dialog } from "../../shell/dialog.tsx"
import { formatCount } from "../../ui/format-count.ts"
import ansi from "./ansi.module.css"
import type { AnsiLine } from "./ansi-pieces.ts"
import { AnsiText } from "./ansi-text.tsx"
import { searchLines } from "./search-lines.ts"
import styles from "./text-viewer.module.css"
import { useCopy } from "./use-copy.ts"

interface TextViewerProps {
  title: string
  /** Source of the text: the command of an output. */
  head?: ReactNode
  /** Number of lines of the text. A very long one is drawn as several lines. */
  count: number
  lines: readonly AnsiLine[]
  /** The drawn lines without ANSI codes, for searching. */
  texts: readonly string[]
  /** The whole text, for copying. */
  whole(): string
  /** Kind of text: "output", "prompt". */
  noun: string
  wrapped: boolean
  loading?: boolean
  /** Shown instead of the text. */
  problem?: ReactNode
  /** Shown after the number of lines. */
  more?: ReactNode
  onClose(): void
}

/** px */
const lineHeight = 16

/**
 * A long text in a dialog over the page, with search, wrapping and copying. Only the lines on the screen are in the
 * DOM.
 */
export function TextViewer(props: TextViewerProps) {
  const { lines, texts, noun, loading = false } = props
  const { copied, copy } = useCopy()
  const [wrap, setWrap] = useState(props.wrapped)
  const search = useSearch(texts)
  const phone = useMediaQuery("(max-width: 767px)", undefined, { getInitialValueInEffect: false }) ?? false
  return (
    <Dialog
      opened
      isView
      fullScreen={phone}
      onClose={props.onClose}
      title={props.title}
      size="min(1200px, 100%)"
      classNames={{ content: styles.content ?? "", body: styles.body ?? "" }}
    >
      {props.head}
      <div className={styles.bar}>
        <TextInput
          className={styles.search ?? ""}
          type="search"
          aria-label={`Search the ${noun}`}
          placeholder="Search"
          data-autofocus
          value={search.text}
          onChange={(event) => search.setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") search.go(event.shiftKey ? -1 : 1)
          }}
        />
        <span role="status" className={styles.count}>
          {search.summary}
        </span>
        <Button disabled={search.matches === 0} onClick={() => search.go(-1)}>
          Previous
        </Button>
        <Button disabled={search.matches === 0} onClick={() => search.go(1)}>
          Next
        </Button>
        <Button aria-pressed={wrap} onClick={() => setWrap(!wrap)}>
          Wrap lines
        </Button>
        <Button disabled={loading} onClick={() => copy(props.whole(), `The whole ${noun}`)}>
          {copied ? "Copied" : "Copy all"}
        </Button>
      </div>
      {props.problem ?? (
        <Lines lines={lines} wrap={wrap} foundLine={search.line} label={noun.charAt(0).toUpperCase() + noun.slice(1)} />
      )}
      <p className={styles.foot}>
        {formatCount(props.count, "line")}
        {loading ? ", loading…" : null}
        {props.more}
      </p>
    </Dialog>
  )
}

function useSearch(texts: readonly string[]) {
  const [text, setText] = useState("")
  const [position, setPosition] = useState(0)
  const matches = useMemo(() => searchLines(texts, text), [texts, text])
  const current = matches.length === 0 ? 0 : position % matches.length
  return {
    text,
    setText(next: string) {
      setText(next)
      setPosition(0)
    },
    matches: matches.length,
    /** The line of the current match; null without a match. */
    line: matches[current] ?? null,
    summary:
      text === ""
        ? ""
        : matches.length === 0
          ? "Nothing found"
          : `${current + 1} of ${formatCount(matches.length, "line")}`,
    go: (step: number) => setPosition((current + step + matches.length) % Math.max(1, matches.length)),
  }
}

interface LinesProps {
  lines: readonly AnsiLine[]
  label: string
  wrap: boolean
  /** The line to scroll to; null without a search. */
  foundLine: number | null
}

function Lines({ lines, label, wrap, foundLine }: LinesProps) {
  const scroller = useRef<HTMLElement>(null)
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 20,
  })
  useEffect(() => {
    if (foundLine !== null) virtualizer.scrollToIndex(foundLine, { align: "center" })
  }, [foundLine, virtualizer])
  // biome-ignore lint/correctness/useExhaustiveDependencies: wrapping changes the height of lines
  useEffect(() => virtualizer.measure(), [wrap, virtualizer])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section ref={scroller} className={styles.lines} tabIndex={0} aria-label={label}>
      <div style={{ height: virtualizer.getTotalSize() }} className={styles.room}>
        {virtualizer.getVirtualItems().map(({ index, start, key }) => {
          const line = lines[index]
          if (!line) return null
          return (
            <div
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              data-found={index === foundLine ? "true" : undefined}
              data-wrap={wrap}
              className={`${styles.line} ${ansi.text}`}
              style={{ transform: `translateY(${start}px)` }}
            >
              <AnsiText text={line.text} style={line.style} />
            </div>
          )
        })}
      </div>
    </section>
  )
}
