import { Button } from "@mantine/core"
import { useId, useLayoutEffect, useRef } from "react"
import styles from "./missing-dialog.module.css"

/**
 * Says that a dialog could not be loaded. The dialog element itself has focus, so that keys the user is still typing
 * neither act on the page nor press a button.
 */
export function MissingDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useLayoutEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
    dialog.current?.focus()
  }, [])
  return (
    <dialog ref={dialog} tabIndex={-1} className={styles.dialog} aria-labelledby={heading} onClose={onClose}>
      <h2 id={heading}>Not loaded</h2>
      <p role="status">A part of this page could not be loaded. Open it again to try once more.</p>
      <div className={styles.actions}>
        <Button onClick={() => dialog.current?.close()}>Close</Button>
        <Button variant="filled" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </div>
    </dialog>
  )
}
