"use client"

import { useComputedColorScheme } from "@mantine/core"
import { lazy } from "react"
import { loadPart } from "../../ui/load-part.ts"
import { PartPlace } from "../../ui/part-place.tsx"
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
}

/** Plain lines of a diff that is shown whole. */
const wholeLines = 4_000

/** A diff in colour, drawn by Pierre once its code has come; plain rows stand in until then. */
export function LazyDiff({ change, split = false, whole = false }: LazyDiffProps) {
  const scheme = useComputedColorScheme("light")
  const patch = change.patch ?? ""
  const plain = <DiffPreview patch={patch} {...(whole && { limit: wholeLines })} />
  if (patch.length > longestColoured) return plain
  return (
    <PartPlace loading={plain} plain={plain}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div
        role="group"
        className={styles.pierre}
        data-whole={whole}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a diff that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={`Changes to ${change.path}`}
      >
        <PatchDiff
          patch={patch}
          disableWorkerPool
          options={{
            diffStyle: split ? "split" : "unified",
            disableFileHeader: true,
            themeType: scheme,
            // Readable (AA) on the tints of added and removed lines, which calmer themes are not.
            theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
            overflow: "scroll",
          }}
        />
      </div>
    </PartPlace>
  )
}
