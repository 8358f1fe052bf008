"use client"

import { visibleText } from "@docket/core/visible-text"
import { useComputedColorScheme } from "@mantine/core"
import type { OnDiffLineClickProps, SelectedLineRange } from "@pierre/diffs"
import { lazy, useRef, useState } from "react"
import { useMe } from "../../shell/me.tsx"
import { loadPart } from "../../ui/load-part.ts"
import { PartPlace } from "../../ui/part-place.tsx"
import { useCommenting } from "../commenting/use-commenting.ts"
import { type ChosenLines, CommentLines } from "./comment-lines.tsx"
import { DiffPreview } from "./diff-preview.tsx"
import type { FileChange } from "./read-file-change.ts"
import styles from "./tools.module.css"

const PatchDiff = lazy(() =>
  loadPart(() => import("@pierre/diffs/react").then((module) => ({ default: module.PatchDiff }))),
)

/** Diffs beyond this stay plain rows: colouring them would hold up the page (UTF-16 units). */
const longestColoured = 60_000

interface LazyDiffProps {
  change: Pick<FileChange, "path" | "patch">
  /** Both sides beside each other. */
  split?: boolean
  /** As high as it is, where the page scrolls; else in a box of its own. */
  whole?: boolean
  /** The steps whose change it shows; in the card of a call its own. */
  messageIDs?: readonly string[]
}

/** Plain lines of a diff that is shown whole. */
const wholeLines = 4_000

/** A diff in colour, drawn by Pierre once its code has come; plain rows stand in until then. */
export function LazyDiff({ change, split = false, whole = false, messageIDs }: LazyDiffProps) {
  const scheme = useComputedColorScheme("light")
  const store = useCommenting()
  const commenting = useMe().can("comment") ? store : null
  const holder = useRef<HTMLDivElement>(null)
  /** Its lines stand: until its colours have come, it is empty. */
  const [drawn, setDrawn] = useState(false)
  const patch = change.patch ?? ""
  const comment = (lines: ChosenLines) => {
    const partID = holder.current?.closest("[data-part]")?.getAttribute("data-part") ?? null
    commenting?.wish({
      kind: "lines",
      lines: { path: change.path, patch, messageIDs: messageIDs ?? null, partID, ...lines },
    })
  }
  const plain = <DiffPreview patch={patch} {...(whole && { limit: wholeLines })} />
  const below = commenting === null ? null : <CommentLines patch={patch} onComment={comment} />
  if (patch.length > longestColoured) {
    return (
      <div ref={holder}>
        {plain}
        {below}
      </div>
    )
  }
  return (
    <div ref={holder}>
      <PartPlace loading={plain} plain={plain}>
        {drawn ? null : plain}
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
        <div
          role="group"
          className={styles.pierre}
          data-whole={whole}
          data-drawn={drawn}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a diff that scrolls must be reachable by keyboard
          tabIndex={0}
          aria-label={`Changes to ${change.path}`}
        >
          <PatchDiff
            patch={visibleText(patch)}
            disableWorkerPool
            options={{
              diffStyle: split ? "split" : "unified",
              disableFileHeader: true,
              themeType: scheme,
              // Readable (AA) on the tints of added and removed lines, which calmer themes are not.
              theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
              onPostRender: (node: HTMLElement) => {
                if (node.shadowRoot?.querySelector("[data-line]")) setDrawn(true)
              },
              // What scrolls within it no key reaches.
              overflow: "wrap",
              // A press on the "+" beside a line, or a pull over several.
              ...(commenting !== null && {
                enableGutterUtility: true,
                onGutterUtilityClick: (range: SelectedLineRange) => comment(chosenLines(range)),
                // A finger finds no "+": it presses the number.
                onLineNumberClick: ({ event, lineNumber, annotationSide }: OnDiffLineClickProps) => {
                  if (event.pointerType === "touch")
                    comment(chosenLines({ start: lineNumber, end: lineNumber, side: annotationSide }))
                },
              }),
            }}
          />
        </div>
      </PartPlace>
      {below}
    </div>
  )
}

/** Lines of one side; of a pull from one side to the other, the line where it ends. */
function chosenLines({ start, end, side, endSide = side }: SelectedLineRange): ChosenLines {
  const sides = { additions: "new", deletions: "old" } as const
  const chosen = sides[endSide ?? "additions"]
  if (side !== endSide) return { side: chosen, from: end, to: end }
  return { side: chosen, from: Math.min(start, end), to: Math.max(start, end) }
}
