"use client"

import { useMediaQuery } from "@mantine/hooks"
import { Dialog } from "../../shell/dialog.tsx"
import { formatSize } from "../../ui/format.ts"
import styles from "./file-figure.module.css"
import { Picture } from "./file-figure.tsx"
import type { ShownFile } from "./shown-file.ts"

/** A picture in a dialog over the page, as large as it is and the window allows. */
export function PictureViewer({ file, onClose }: { file: ShownFile; onClose: () => void }) {
  const phone = useMediaQuery("(max-width: 767px)", undefined, { getInitialValueInEffect: false }) ?? false
  const { address, name, width, height, size } = file
  return (
    <Dialog opened isView fullScreen={phone} onClose={onClose} title={name} size="auto">
      <div className={styles.large}>
        <Picture file={file} whole />
      </div>
      <p className={styles.foot}>
        {width === null || height === null ? null : <span>{`${width} × ${height} pixels`}</span>}
        {size === null ? null : <span>{formatSize(size)}</span>}
        <a href={address ?? undefined} download={name}>
          Save
        </a>
      </p>
    </Dialog>
  )
}
