"use client"

import { Button, TextInput } from "@mantine/core"
import { Check, Copy } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { useCopy } from "../../shell/use-copy.ts"
import styles from "./share-dialog.module.css"

interface NewLinkProps {
  url: string
  doneLabel: string
  /** The user has copied the link and closes it. */
  onDone(): void
}

const isOfThisMachine = (url: string) => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

/** A link that was just created. It is shown only this once. */
export function NewLink({ url, doneLabel, onDone }: NewLinkProps) {
  const copy = useCopy()
  const [copied, setCopied] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  // The button that created the link is gone, so focus moves to the field.
  useEffect(() => field.current?.focus(), [])
  return (
    <section aria-label="New link">
      <div className={styles.link}>
        <TextInput
          ref={field}
          className={styles.url ?? ""}
          label="Public link"
          readOnly
          value={url}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button
          variant="filled"
          leftSection={copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
          onClick={() => void copy(url, "the link").then(setCopied)}
        >
          {copied ? "Copied" : "Copy"}
        </Button>
        <Button onClick={onDone}>{doneLabel}</Button>
      </div>
      <p className={styles.hint}>
        Copy it now. Docket keeps no copy, so it cannot be shown again.
        {isOfThisMachine(url)
          ? " It opens only on the machine where Docket runs. For others, whoever runs Docket gives it an address that they reach."
          : ""}
      </p>
    </section>
  )
}
