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

/** Longer diffs stay plain rows: highlighting them would block the page (UTF-16 units). */
const longestColoured = 60_000

interface LazyDiffProps {
  change: Pick<FileChange, "path" | "patch">
  /** Shows both sides next to each other. */
  split?: boolean
  /** The diff has its full height and the page scrolls; otherwise the diff scrolls in a box of its own. */
  whole?: boolean
  /** The steps whose change it shows; undefined in the card of a call, which shows its own. */
  messageIDs?: readonly string[]
}

/** Maximum number of plain rows for a diff in full height. */
const wholeLines = 4_000

/** A highlighted diff, drawn by Pierre once its code is loaded; until then plain rows. */
export function LazyDiff({ change, split = false, whole = false, messageIDs }: LazyDiffProps) {
  const scheme = useComputedColorScheme("light")
  const store = useCommenting()
  const commenting = useMe().can("comment") ? store : null
  const holder = useRef<HTMLDivElement>(null)
  /** Pierre has drawn its lines: it is empty until the highlighter is loaded. */
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
              // Readable (WCAG AA) on the tints of added and removed lines; calmer themes are not.
              theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
              onPostRender: (node: HTMLElement) => {
                if (node.shadowRoot?.querySelector("[data-line]")) setDrawn(true)
              },
              // Wrapped, because the keyboard cannot scroll an area inside it.
              overflow: "wrap",
              // A press on the "+" beside a line, or a drag over several lines.
              ...(commenting !== null && {
                enableGutterUtility: true,
                onGutterUtilityClick: (range: SelectedLineRange) => comment(chosenLines(range)),
                // Touch devices show no "+": the user presses the line number.
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

/** The chosen lines of one side. A drag from one side to the other chooses the line where it ends. */
function chosenLines({ start, end, side, endSide = side }: SelectedLineRange): ChosenLines {
  const sides = { additions: "new", deletions: "old" } as const
  const chosen = sides[endSide ?? "additions"]
  if (side !== endSide) return { side: chosen, from: end, to: end }
  return { side: chosen, from: Math.min(start, end), to: Math.max(start, end) }
}
