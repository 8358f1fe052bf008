"use client"

import { FileText, Image, X } from "lucide-react"
import type { Attachment } from "./attachment.ts"
import styles from "./composer.module.css"

/** The files that go with the prompt, each with a way to leave it out. */
export function AttachmentChips(props: { attachments: readonly Attachment[]; onRemove: (index: number) => void }) {
  if (props.attachments.length === 0) return null
  return (
    <ul className={styles.chips} aria-label="Attached files">
      {props.attachments.map((attachment, index) => (
        <li key={`${index}:${attachment.name}`} className={styles.chip}>
          {attachment.mime.startsWith("image/") ? <Image size={13} aria-hidden /> : <FileText size={13} aria-hidden />}
          <span className={styles.chipName}>{attachment.name}</span>
          <button type="button" aria-label={`Remove ${attachment.name}`} onClick={() => props.onRemove(index)}>
            <X size={12} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
}
