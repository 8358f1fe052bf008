"use client"

import { useMedia } from "../../../ui/use-media.ts"

/** Which columns stand beside the task. */
export interface Columns {
  tree: boolean
  inspector: boolean
}

/** The widths from which on review-page.module.css shows the columns: elsewhere they are sheets. */
export function useColumns(): Columns {
  return {
    tree: useMedia("(min-width: 1024px)", true),
    inspector: useMedia("(min-width: 1280px)", true),
  }
}
