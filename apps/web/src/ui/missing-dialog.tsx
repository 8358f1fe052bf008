import { useLayoutEffect, useRef } from "react"
import { LinkButton } from "./link-button.tsx"
import styles from "./missing-dialog.module.css"

/**
 * Says that a dialog could not be loaded. It has the focus itself, so that what a person goes on to type neither acts on
 * the page nor presses a button.
 */
export function MissingDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal()
    dialog.current?.focus()
  }, [])
  return (
    <dialog ref={dialog} tabIndex={-1} className={styles.dialog} aria-label="Not loaded" onClose={onClose}>
      <p role="status">A part of this page could not be loaded. Open it again to try once more.</p>
      <div className={styles.actions}>
        <LinkButton onClick={() => window.location.reload()}>Reload</LinkButton>
        <LinkButton onClick={() => dialog.current?.close()}>Close</LinkButton>
      </div>
    </dialog>
  )
}
