"use client"

import { type ReactNode, useState } from "react"
import { lazyDialog } from "../../ui/lazy-dialog.tsx"
import styles from "./file-figure.module.css"
import { FileFigures } from "./file-figure.tsx"
import type { ShownFile } from "./shown-file.ts"

const PictureViewer = lazyDialog(() => import("./picture-viewer.tsx").then((module) => module.PictureViewer))

/** Files of a part in the app: a press on a picture opens it large. */
export function OpenFiles({ files }: { files: readonly ShownFile[] }) {
  const [opened, setOpened] = useState<ShownFile | null>(null)
  const open = (file: ShownFile, face: ReactNode) => (
    <button
      key={file.key}
      type="button"
      className={styles.picture}
      aria-haspopup="dialog"
      aria-label={`Open ${file.name}`}
      onClick={() => setOpened(file)}
    >
      {face}
    </button>
  )
  return (
    <>
      <FileFigures files={files} open={open} />
      {opened === null ? null : <PictureViewer file={opened} onClose={() => setOpened(null)} />}
    </>
  )
}
