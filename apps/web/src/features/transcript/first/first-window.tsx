"use client"

import type { ReactNode } from "react"
import styles from "./first-window.module.css"

/** What finds it in the page, and in it the rows, which scroll. */
export const firstWindow = "[data-first]"
export const firstScroller = "[data-first] [data-rows]"

interface FirstWindowProps {
  /** How what stands in it is laid out. */
  className?: string | undefined
  sessionID: string
  part: string | null
  /** With the rows of the session. Nothing in a browser. */
  children: ReactNode
}

/**
 * What the page brought along, as the server drew it, until the live page stands in its place. In a browser nothing in it
 * is React's: it needs neither code nor data there, and nothing that happens on the page draws it again.
 */
export function FirstWindow({ className = "", sessionID, part, children }: FirstWindowProps) {
  const place = {
    className: `${styles.first} ${className}`,
    ...{ "data-first": "", "data-session": sessionID, "data-part": part ?? undefined },
  }
  if (typeof window !== "undefined")
    return <div {...place} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: "" }} />
  return <div {...place}>{children}</div>
}
