"use client"

import { FileText, Image, X } from "lucide-react"
import { formatSize } from "../../ui/format.ts"
import { LinkButton } from "../../ui/link-button.tsx"
import { isAttachedText } from "../undo/attached-text.ts"
import type { Attachment } from "./attachment.ts"
import styles from "./composer.module.css"

interface AttachmentChipsProps {
  attachments: readonly Attachment[]
  onRemove: (index: number) => void
  /** Inserts the content of a text file at the caret. */
  onPutInText: (index: number) => void
}

/** A small picture of what is attached, or the sign of its kind. */
function Face({ attachment: { mime, url } }: { attachment: Attachment }) {
  if (/^data:image\/(?:png|jpeg|gif|webp);/.test(url)) {
    // biome-ignore lint/performance/noImgElement: the picture is in the page already
    return <img className={styles.chipPicture} src={url} alt="" width={24} height={24} />
  }
  return mime.startsWith("image/") ? <Image size={13} aria-hidden /> : <FileText size={13} aria-hidden />
}

/** The files attached to the prompt, each with a button to remove it. */
export function AttachmentChips({ attachments, onRemove, onPutInText }: AttachmentChipsProps) {
  if (attachments.length === 0) return null
  return (
    <ul className={styles.chips} aria-label="Attached files">
      {attachments.map((attachment, index) => (
        <li key={`${index}:${attachment.name}`} className={styles.chip}>
          <Face attachment={attachment} />
          <span className={styles.chipName}>{attachment.name}</span>
          {attachment.bytes > 0 ? <span className={styles.chipSize}>{formatSize(attachment.bytes)}</span> : null}
          {isAttachedText(attachment) ? (
            <LinkButton onClick={() => onPutInText(index)}>
              Put it in the text<span className="visually-hidden">: {attachment.name}</span>
            </LinkButton>
          ) : null}
          <button
            type="button"
            className={styles.chipRemove}
            aria-label={`Remove ${attachment.name}`}
            onClick={() => onRemove(index)}
          >
            <X size={12} aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
}
