"use client"

import { useMediaQuery } from "@mantine/hooks"

/** Which columns stand beside the task. */
export interface Columns {
  tree: boolean
  inspector: boolean
}

/** The widths from which on review-page.module.css shows the columns: elsewhere they are sheets. */
export function useColumns(): Columns {
  return {
    tree: useMediaQuery("(min-width: 1024px)", true),
    inspector: useMediaQuery("(min-width: 1280px)", true),
  }
}
