"use client"

import { Component, type ReactNode, Suspense, useSyncExternalStore } from "react"
import { LinkButton } from "./link-button.tsx"
import { PartLoadError, waitingParts } from "./load-part.ts"
import styles from "./part-place.module.css"

interface PartPlaceProps {
  /** Stands here until the code has come. */
  loading?: ReactNode
  /** What is drawn without it when it cannot be loaded. */
  plain?: ReactNode
  /** A press on `plain` asks for it once more. */
  pressAgain?: boolean
  /** Stands here when it cannot be loaded, instead of the line. */
  missing?: ReactNode
  /** Where the page says so: here, or in the corner for what has no place of its own, such as dialogs. */
  note?: "line" | "corner"
  children: ReactNode
}

/**
 * The place of something whose code comes after the page. While it is on its way and when it does not come, the rest of
 * the page stays, with a quiet line here.
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

/** A boundary for errors can only be a class. What is no failure to load goes on to the page's own. */
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

/** Says that code waits for a server that cannot be reached; nothing while it is on its way. */
export function WaitingNote({ note }: { note: "line" | "corner" }) {
  const waits = useSyncExternalStore(waitingParts.subscribe, waitingParts.get, () => false)
  if (!waits) return null
  return (
    <p role="status" className={styles.note} data-place={note}>
      A part of this page waits for the connection.
    </p>
  )
}
