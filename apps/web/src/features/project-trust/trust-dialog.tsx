"use client"

import type { ProjectTrust } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import { Button } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { type MouseEvent, useRef, useState } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { Dialog } from "../../shell/dialog.tsx"
import { ErrorState } from "../../ui/error-state.tsx"
import dialog from "../../ui/long-dialog.module.css"
import { SkeletonRows } from "../../ui/skeleton-rows.tsx"
import { useFocusAfterwards } from "../../ui/use-focus-afterwards.ts"
import styles from "./trust-dialog.module.css"
import { TrustEntries } from "./trust-entries.tsx"
import { canBeTrusted } from "./trust-messages.ts"
import { useLook } from "./use-look.ts"

interface TrustDialogProps {
  projectID: string
  /** Selector of the element that gets focus afterwards, if the button that opened the dialog is gone. */
  next: string
  onClose: () => void
}

/** Shows what a project's configuration would set, and trusts it when the user confirms. */
export function TrustDialog({ projectID, next, onClose }: TrustDialogProps) {
  useFocusAfterwards(next)
  const phone = useMediaQuery("(max-width: 767px)", undefined, { getInitialValueInEffect: false })
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Trust what this project brings?"
      size={720}
      fullScreen={phone}
      closeButtonProps={{ ...(phone && { size: 44, iconSize: 20 }) }}
      classNames={{ content: dialog.content ?? "", body: dialog.body ?? "" }}
    >
      <Looking projectID={projectID} onClose={onClose} />
    </Dialog>
  )
}

function Looking({ projectID, onClose }: { projectID: string; onClose: () => void }) {
  const announce = useAnnounce()
  const region = useRef<HTMLElement>(null)
  const look = useLook(projectID)
  const [deciding, setDeciding] = useState(false)
  const decide = async () => {
    setDeciding(true)
    const outcome = await look.trust().finally(() => setDeciding(false))
    if (outcome === "trusted") {
      announce("What this project brings counts from now on")
      onClose()
      return
    }
    // Scrolls to the top and moves focus away from the button, because the user has not read the new list.
    region.current?.scrollTo({ top: 0 })
    region.current?.focus()
  }
  const onTrust = (event: MouseEvent) => {
    // The second click of a double click would confirm a list that the first click has just loaded.
    if (event.detail < 2) decide().catch(() => {})
  }
  const waits = look.shownTrust !== null && canBeTrusted(look.shownTrust)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      <section ref={region} className={dialog.scroll} tabIndex={0} aria-label="What it brings" data-autofocus>
        {look.changed ? (
          <p role="alert" className={styles.again}>
            <strong>It changed meanwhile; look again.</strong> Nothing was trusted. This is how it is now.
          </p>
        ) : null}
        {look.failure ? <Failure error={look.failure} onRetry={look.retry} /> : null}
        {look.shownTrust === null ? (
          <SkeletonRows count={6} height={52} label="Loading what it brings" />
        ) : (
          <>
            <Introduction trust={look.shownTrust} />
            <TrustEntries trust={look.shownTrust} />
          </>
        )}
      </section>
      <footer className={dialog.actions}>
        <Button onClick={onClose}>{waits || look.shownTrust === null ? "Not now" : "Close"}</Button>
        {waits ? (
          <Button variant="filled" loading={deciding} onClick={onTrust}>
            {look.shownTrust?.state === "nothing" ? "Trust this project" : "Trust all of this"}
          </Button>
        ) : null}
      </footer>
    </>
  )
}

function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const message = error instanceof Error ? error.message : "Try again."
  return <ErrorState title="That did not work" message={message} onRetry={onRetry} />
}

function Introduction({ trust: { state, directory, entries } }: { trust: ProjectTrust }) {
  if (state === "nothing" && entries.length === 0) {
    return (
      <div className={styles.introduction}>
        <p>
          <code>{visibleText(directory ?? "")}</code> brings no settings, instructions or tools. If you trust it, its
          own programs may run, in the sandbox where this machine has one: language servers and formatters in its{" "}
          <code>node_modules</code>. You are asked again when it brings something.
        </p>
      </div>
    )
  }
  return (
    <div className={styles.introduction}>
      <p>
        The files in <code>{visibleText(directory ?? "")}</code> bring what is listed here: to models, as programs, as
        settings.{" "}
        {state === "trusted"
          ? "You trust them as they are."
          : state === "nothing"
            ? "Nothing of it waits for your trust. If you trust the project, its own programs may run: language servers and formatters in its node_modules."
            : "Until you trust them, they do nothing but make permissions stricter. Trust holds for exactly this content: when it changes, you are asked again."}
      </p>
      {state === "trusted" || state === "nothing" ? null : (
        <p>What your own configuration denies stays denied. You can take trust back in Settings.</p>
      )}
    </div>
  )
}
