"use client"

import { Component, type ReactNode, Suspense, useSyncExternalStore } from "react"
import { LinkButton } from "./link-button.tsx"
import { PartLoadError, waitingParts } from "./load-part.ts"
import styles from "./part-place.module.css"

interface PartPlaceProps {
  /** Shown until the code is loaded. */
  loading?: ReactNode
  /** Shown instead when loading has failed. */
  plain?: ReactNode
  /** A press on `plain` loads the code again. */
  pressAgain?: boolean
  /** Shown instead of the error line when loading has failed. */
  missing?: ReactNode
  /** Where the message appears: here, or in the corner for parts without a place of their own, such as dialogs. */
  note?: "line" | "corner"
  children: ReactNode
}

/**
 * A boundary for a part whose code is loaded after the page. While it loads or when loading fails, the rest of the page
 * works, and a quiet line stands here.
 */
export function PartPlace({
  loading = null,
  plain = null,
  pressAgain = false,
  missing,
  note = "line",
  children,
}: PartPlaceProps) {
  const line = (
    <>
      {plain}
      <p role="status" className={styles.note} data-place={note}>
        A part of this page could not be loaded. {pressAgain ? "Press again to try once more, or " : ""}
        <LinkButton onClick={() => window.location.reload()}>Reload</LinkButton>
      </p>
    </>
  )
  return (
    <PartBoundary missing={missing ?? line}>
      <Suspense
        fallback={
          <>
            {loading}
            <WaitingNote note={note} />
          </>
        }
      >
        {children}
      </Suspense>
    </PartBoundary>
  )
}

/** React requires a class for error boundaries. Other errors are passed on to the page's boundary. */
class PartBoundary extends Component<{ missing: ReactNode; children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === null) return this.props.children
    if (error instanceof PartLoadError) return this.props.missing
    throw error
  }
}

/** Says that code is waiting for a server that cannot be reached; renders nothing during normal loading. */
export function WaitingNote({ note }: { note: "line" | "corner" }) {
  const waits = useSyncExternalStore(waitingParts.subscribe, waitingParts.get, () => false)
  if (!waits) return null
  return (
    <p role="status" className={styles.note} data-place={note}>
      A part of this page waits for the connection.
    </p>
  )
}
