"use client"

import { type ComponentType, lazy, Suspense } from "react"
import styles from "./lazy-dialog.module.css"
import { loadPart } from "./load-part.ts"
import { PartPlace, WaitingNote } from "./part-place.tsx"
import { useHeldKeys } from "./use-held-keys.ts"

/**
 * A dialog whose code is loaded when it is first asked for. From then on keys are the dialog's, also before it shows:
 * Escape closes it, what else is pressed it gets once it has the focus.
 */
export function lazyDialog<Props extends { onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Dialog = lazy(() => loadPart(load).then((part) => ({ default: part })))
  function Held(props: Props) {
    const handOver = useHeldKeys(props.onClose)
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: it only hears that the dialog, drawn elsewhere, has the focus
      <span role="presentation" className={styles.around} onFocus={handOver}>
        <Suspense fallback={<Opening />}>
          <Dialog {...props} />
        </Suspense>
      </span>
    )
  }
  return function LazyDialog(props: Props) {
    return (
      <PartPlace note="corner">
        <Held {...props} />
      </PartPlace>
    )
  }
}

/** Says that something comes, when it takes long. */
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
