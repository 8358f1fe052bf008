"use client"

import { useEffect, useState } from "react"
import { type Grouping, groupings } from "./changed-files.ts"

/** How this browser lists changed files. */
export interface FilesLayout {
  grouping: Grouping
  tree: boolean
  /** Both sides of a diff beside each other. */
  split: boolean
}

const storageKey = "docket-files-1"
const fresh: FilesLayout = { grouping: "all", tree: false, split: false }

export function useFilesLayout(): [FilesLayout, (layout: FilesLayout) => void] {
  const [layout, setLayout] = useState(fresh)
  // The server knows nothing of it.
  useEffect(() => setLayout(read()), [])
  return [
    layout,
    (next) => {
      setLayout(next)
      try {
        localStorage.setItem(storageKey, JSON.stringify(next))
      } catch {
        // A full or forbidden storage: it lasts as long as the page.
      }
    },
  ]
}

function read(): FilesLayout {
  try {
    // Its fields are looked at one by one below.
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? "{}") as Partial<Record<keyof FilesLayout, unknown>>
    return {
      grouping: groupings.find((one) => one === stored.grouping) ?? fresh.grouping,
      tree: stored.tree === true,
      split: stored.split === true,
    }
  } catch {
    return fresh
  }
}
