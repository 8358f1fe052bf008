"use client"

import { useEffect, useState } from "react"
import { type Grouping, groupings } from "./changed-files.ts"

/** How this browser shows changed files. */
export interface FilesLayout {
  grouping: Grouping
  tree: boolean
  /** Split view: both sides of a diff next to each other. */
  split: boolean
}

const storageKey = "docket-files-1"
const defaults: FilesLayout = { grouping: "all", tree: false, split: false }

export function useFilesLayout(): [FilesLayout, (layout: FilesLayout) => void] {
  const [layout, setLayout] = useState(defaults)
  // localStorage does not exist on the server, so it is read after hydration.
  useEffect(() => setLayout(read()), [])
  return [
    layout,
    (next) => {
      setLayout(next)
      try {
        localStorage.setItem(storageKey, JSON.stringify(next))
      } catch {
        // Storage is full or blocked: the choice lasts as long as the page.
      }
    },
  ]
}

function read(): FilesLayout {
  try {
    // Each field is checked below.
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? "{}") as Partial<Record<keyof FilesLayout, unknown>>
    return {
      grouping: groupings.find((one) => one === stored.grouping) ?? defaults.grouping,
      tree: stored.tree === true,
      split: stored.split === true,
    }
  } catch {
    return defaults
  }
}
