"use client"

import { Button, Modal, TextInput } from "@mantine/core"
import { useVirtualizer } from "@tanstack/react-virtual"
import { useEffect, useMemo, useRef, useState } from "react"
import { ErrorState } from "../../ui/error-state.tsx"
import { formatCount } from "../../ui/format-count.ts"
import ansi from "./ansi.module.css"
import { AnsiText } from "./ansi-text.tsx"
import styles from "./output-viewer.module.css"
import { searchLines } from "./search-lines.ts"
import { useCopy } from "./use-copy.ts"
import { useOutput } from "./use-output.ts"

interface OutputViewerProps {
  partID: string
  command: string
  onClose(): void
}

/** px */
const lineHeight = 16

/** The whole output of a command: searched, wrapped or scrolled, copied. */
export function OutputViewer({ partID, command, onClose }: OutputViewerProps) {
  const output = useOutput(partID)
  const { copied, copy } = useCopy()
  const [wrap, setWrap] = useState(false)
  const search = useSearch(output.texts)
  return (
    <Modal
      opened
      onClose={onClose}
      title="Full output"
      size="min(1200px, 100%)"
      closeButtonProps={{ "aria-label": "Close" }}
      classNames={{ content: styles.content ?? "", body: styles.body ?? "" }}
    >
      <p className={styles.command} title={command}>
        $ {command}
      </p>
      <div className={styles.bar}>
        <TextInput
          className={styles.search ?? ""}
          type="search"
          aria-label="Search the output"
          placeholder="Search"
          data-autofocus
          value={search.text}
          onChange={(event) => search.setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") search.go(event.shiftKey ? -1 : 1)
          }}
        />
        <span role="status" className={styles.count}>
          {search.words}
        </span>
        <Button disabled={search.found === 0} onClick={() => search.go(-1)}>
          Previous
        </Button>
        <Button disabled={search.found === 0} onClick={() => search.go(1)}>
          Next
        </Button>
        <Button aria-pressed={wrap} onClick={() => setWrap(!wrap)}>
          Wrap lines
        </Button>
        <Button disabled={output.loading} onClick={() => copy(output.texts.join("\n"), "The whole output")}>
          {copied ? "Copied" : "Copy all"}
        </Button>
      </div>
      {output.error ? (
        <ErrorState title="The output cannot be read" message={output.error.message} onRetry={output.retry} />
      ) : (
        <Lines lines={output.lines} wrap={wrap} found={search.line} />
      )}
      <p className={styles.foot}>
        {formatCount(output.lines.length, "line")}
        {output.loading ? ", loading…" : null}
        {output.more ? (
          <>
            {" of more. "}
            <Button onClick={output.more}>Load more</Button>
          </>
        ) : null}
      </p>
    </Modal>
  )
}

function useSearch(texts: readonly string[]) {
  const [text, setText] = useState("")
  const [at, setAt] = useState(0)
  const found = useMemo(() => searchLines(texts, text), [texts, text])
  const current = found.length === 0 ? 0 : at % found.length
  return {
    text,
    setText(next: string) {
      setText(next)
      setAt(0)
    },
    found: found.length,
    /** The line that is shown, if one is found. */
    line: found[current] ?? null,
    words:
      text === ""
        ? ""
        : found.length === 0
          ? "Nothing found"
          : `${current + 1} of ${formatCount(found.length, "line")}`,
    go: (step: number) => setAt((current + step + found.length) % Math.max(1, found.length)),
  }
}

interface LinesProps {
  lines: ReturnType<typeof useOutput>["lines"]
  wrap: boolean
  /** The line to show, if one was searched for. */
  found: number | null
}

function Lines({ lines, wrap, found }: LinesProps) {
  const scroller = useRef<HTMLElement>(null)
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 20,
  })
  useEffect(() => {
    if (found !== null) virtualizer.scrollToIndex(found, { align: "center" })
  }, [found, virtualizer])
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines have other heights then
  useEffect(() => virtualizer.measure(), [wrap, virtualizer])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section ref={scroller} className={styles.lines} tabIndex={0} aria-label="Output">
      <div style={{ height: virtualizer.getTotalSize() }} className={styles.room}>
        {virtualizer.getVirtualItems().map(({ index, start, key }) => {
          const line = lines[index]
          if (!line) return null
          return (
            <div
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              data-found={index === found ? "true" : undefined}
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
