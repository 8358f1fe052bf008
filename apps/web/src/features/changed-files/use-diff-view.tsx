"use client"

import { type ReactNode, useState } from "react"
import { lazyDialog } from "../../ui/lazy-dialog.tsx"
import { useKeys } from "../keyboard/use-keys.ts"
import type { DiffTarget } from "./diff-target.ts"

const DiffView = lazyDialog(() => import("./diff-view.tsx").then((it) => it.DiffView))

/** The full-width diffs of a tree, opened by `d`. The code is loaded at the first use. */
export function useDiffView(
  rootID: string,
  onOpenPart: (sessionID: string, partID: string) => void,
): { openDiff: (target: DiffTarget) => void; diffView: ReactNode } {
  const [target, setTarget] = useState<DiffTarget | null>(null)
  useKeys({ d: () => setTarget({ grouping: "all", at: null }) })
  const close = () => setTarget(null)
  return {
    openDiff: setTarget,
    diffView:
      target === null ? null : (
        <DiffView
          rootID={rootID}
          target={target}
          onClose={close}
          onOpenPart={(sessionID, partID) => {
            close()
            onOpenPart(sessionID, partID)
          }}
        />
      ),
  }
}
