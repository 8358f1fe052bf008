"use client"

import { type ComponentType, Suspense, useState } from "react"
import { laterPart } from "./later-part.ts"
import styles from "./lazy-dialog.module.css"
import { MissingDialog } from "./missing-dialog.tsx"
import { PartPlace, WaitingNote } from "./part-place.tsx"
import { useHeldKeys } from "./use-held-keys.ts"

interface DialogProps {
  onClose: () => void
  /** For dialogs that stay mounted when closed; other dialogs are mounted only while open. */
  opened?: boolean
}

/**
 * A dialog whose code is loaded on first use, and again on the next use after a failure. While it loads, keys belong to
 * the dialog: Escape closes it, and it gets the other keys once it has focus.
 */
export function lazyDialog<Props extends DialogProps>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const part = laterPart(load)
  function WithHeldKeys({ Dialog, dialogProps }: { Dialog: ComponentType<Props>; dialogProps: Props }) {
    const handOver = useHeldKeys(dialogProps.onClose)
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: it only listens for focus in the dialog, which is rendered elsewhere
      <span role="presentation" className={styles.around} onFocus={handOver}>
        <Suspense fallback={<Opening />}>
          <Dialog {...dialogProps} />
        </Suspense>
      </span>
    )
  }
  function Opened(props: Props) {
    const [Dialog] = useState(part.latest)
    return (
      <PartPlace note="corner" missing={<MissingDialog onClose={props.onClose} />}>
        <WithHeldKeys Dialog={Dialog} dialogProps={props} />
      </PartPlace>
    )
  }
  return function LazyDialog(props: Props) {
    if (props.opened === false && !part.isLoaded()) return null
    return <Opened {...props} />
  }
}

/** Shows a loading message if loading takes long. */
function Opening() {
  return (
    <span className={styles.opening}>
      <span role="status" className={styles.word}>
        Loading…
      </span>
      <WaitingNote note="corner" />
    </span>
  )
}
