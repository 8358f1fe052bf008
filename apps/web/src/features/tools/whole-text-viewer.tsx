"use client"

import { useMemo } from "react"
import { ansiLines, shortLines, withoutColours } from "./ansi-pieces.ts"
import { TextViewer } from "./text-viewer.tsx"

interface WholeTextViewerProps {
  text: string
  /** Kind of text: "prompt", "answer". */
  noun: string
  onClose(): void
}

/** Viewer for a text that is too long to be shown inline. */
export function WholeTextViewer({ text, noun, onClose }: WholeTextViewerProps) {
  const wholeLines = useMemo(() => ansiLines(text).lines, [text])
  const lines = useMemo(() => shortLines(wholeLines), [wholeLines])
  const texts = useMemo(() => lines.map((line) => withoutColours(line.text)), [lines])
  return (
    <TextViewer
      title={`Whole ${noun}`}
      noun={noun}
      count={wholeLines.length}
      lines={lines}
      texts={texts}
      whole={() => text}
      wrapped
      onClose={onClose}
    />
  )
}
