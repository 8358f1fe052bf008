"use client"

import type { FilePart } from "@docket/core/schema"
import { FileText } from "lucide-react"
import { useMemo, useState } from "react"
import { OpenFiles } from "../../tools/open-files.tsx"
import { ownFileAddress, shownFile } from "../../tools/shown-file.ts"
import { WholeText } from "../../tools/whole-text.tsx"
import { attachedText, isAttachedText } from "../../undo/attached-text.ts"
import { fileLabel } from "./file-label.ts"
import { KeptText } from "./kept-text.tsx"
import styles from "./rows.module.css"

/** A file of a prompt or an answer: a picture in its place, a text that opens, or a link that saves it. */
export function FileChip({ part }: { part: FilePart }) {
  const file = shownFile(part, part, ownFileAddress)
  if (file === null || part.problem !== undefined) return <NamedFile part={part} />
  const isText = file.kind === "file" && file.mime.startsWith("text/")
  return isText ? <KeptText file={file} /> : <OpenFiles files={[file]} />
}

/** A text file that was sent with its content can be opened. */
function NamedFile({ part }: { part: FilePart }) {
  const [open, setOpen] = useState(false)
  const text = useMemo(() => (open ? attachedText(part) : null), [open, part])
  const label = fileLabel(part)
  const face = (
    <>
      <FileText size={13} aria-hidden />
      {label}
      {part.problem === undefined ? null : <span> · not there: {part.problem}</span>}
    </>
  )
  if (!isAttachedText(part)) return <span className={styles.chip}>{face}</span>
  return (
    <>
      <button type="button" className={styles.chip} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {face}
      </button>
      {text === null ? null : <WholeText text={text} noun={label} onClose={() => setOpen(false)} />}
    </>
  )
}
