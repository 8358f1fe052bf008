"use client"

import { Check, Link2 } from "lucide-react"
import { useEffect, useState } from "react"
import styles from "./rows.module.css"
import { useTranscriptActions } from "./transcript-actions.ts"

/** How long the button says that it worked (ms). */
const thanked = 1_500

/** Copies the address of one part. Shown on hover and on focus, always there for touch and readers. */
export function CopyLink({ partID }: { partID: string }) {
  const { copyLink } = useTranscriptActions()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), thanked)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <button
      type="button"
      className={styles.copy}
      aria-label={copied ? "Link copied" : "Copy link to this part"}
      title="Copy link"
      onClick={() => void copyLink(partID).then(setCopied)}
    >
      {copied ? <Check size={13} aria-hidden /> : <Link2 size={13} aria-hidden />}
    </button>
  )
}
