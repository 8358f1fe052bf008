"use client"

import type { ReactNode } from "react"
import styles from "./first-window.module.css"

/** Selectors of the server-rendered window, and of the scroll area with its rows. */
export const firstWindow = "[data-first]"
export const firstScroller = "[data-first] [data-rows]"

interface FirstWindowProps {
  /** Class for the layout of the content. */
  className?: string | undefined
  sessionID: string
  part: string | null
  /** The rows of the session. Null in a browser. */
  children: ReactNode
}

/**
 * The server-rendered content, shown until the live page replaces it. In the browser React does not own its content: it
 * needs no code and no data there, and never renders again.
 */
export function FirstWindow({ className = "", sessionID, part, children }: FirstWindowProps) {
  const place = {
    className: `${styles.first} ${className}`,
    "data-first": "",
    "data-session": sessionID,
    "data-part": part ?? undefined,
  }
  if (typeof window !== "undefined")
    return <div {...place} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: "" }} />
  return <div {...place}>{children}</div>
}
