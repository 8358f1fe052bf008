"use client"

import { Check, Copy } from "lucide-react"
import { type ReactNode, useEffect, useState } from "react"
import styles from "./copy-button.module.css"
import { useCopy } from "./use-copy.ts"

/** How long the button shows success (ms). */
const successMs = 1_500

interface CopyButtonProps {
  text: string
  /** Name of the copied thing, as in "Copy the code". */
  what: string
  className?: string | undefined
  icon?: ReactNode
  /** Added to the tooltip after the name. */
  hint?: string
}

/** A quiet button that copies text and shows success for a moment. */
export function CopyButton({
  text,
  what,
  className,
  icon = <Copy size={13} aria-hidden />,
  hint = "",
}: CopyButtonProps) {
  const copy = useCopy()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), successMs)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <button
      type="button"
      data-copy
      data-copied={copied || undefined}
      className={className === undefined ? styles.button : `${styles.button} ${className}`}
      aria-label={`Copy ${what}`}
      title={copied ? "Copied" : `Copy ${what}${hint === "" ? "" : ` · ${hint}`}`}
      onClick={() => void copy(text, what).then(setCopied)}
    >
      {copied ? <Check size={13} aria-hidden /> : icon}
    </button>
  )
}
