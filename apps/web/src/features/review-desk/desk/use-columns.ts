"use client"

import { useMedia } from "../../../ui/use-media.ts"

/** Which columns are shown beside the task. */
export interface Columns {
  tree: boolean
  inspector: boolean
}

/** The widths at which review-page.module.css shows the columns. On narrower screens they are sheets. */
export function useColumns(): Columns {
  return {
    tree: useMedia("(min-width: 1024px)", true),
    inspector: useMedia("(min-width: 1280px)", true),
  }
}
