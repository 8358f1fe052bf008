"use client"

import { Button, TextInput } from "@mantine/core"
import { Check, Copy } from "lucide-react"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { useCopy } from "../../../../shell/use-copy.ts"
import styles from "./shown-once.module.css"

interface ShownOnceProps {
  /** The heading: "Link for Ben". */
  title: string
  label: string
  value: string
  /** Its name in "Copied the link". */
  what: string
  /** Instructions. */
  children: ReactNode
  /** The user has copied the value and closes it. */
  onDone(): void
}

/** A new link or key. It is shown only this once. */
export function ShownOnce({ title, label, value, what, children, onDone }: ShownOnceProps) {
  const copy = useCopy()
  const [copied, setCopied] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  // The button that created it is gone, so focus moves to the field.
  useEffect(() => field.current?.focus(), [])
  return (
    <section className={styles.place} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      <div className={styles.line}>
        <TextInput
          ref={field}
          className={styles.value ?? ""}
          label={label}
          readOnly
          value={value}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button
          variant="filled"
          leftSection={copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
          onClick={() => void copy(value, what).then(setCopied)}
        >
          {copied ? "Copied" : "Copy"}
        </Button>
        <Button onClick={onDone}>Done</Button>
      </div>
      <p className={styles.hint}>{children}</p>
    </section>
  )
}
