"use client"

import { Button } from "@mantine/core"
import { useEffect, useRef } from "react"
import { useCopy } from "../../../../../shell/use-copy.ts"
import styles from "./methods.module.css"

/** Backup codes for a lost phone. They are shown only this once. */
export function BackupCodes({ codes, onDone }: { codes: readonly string[]; onDone(): void }) {
  const copy = useCopy()
  const place = useRef<HTMLParagraphElement>(null)
  // The button pressed before is gone, so focus moves here.
  useEffect(() => place.current?.focus(), [])
  return (
    <div className={styles.panel}>
      <p ref={place} tabIndex={-1} className={styles.text}>
        Keep these backup codes where you find them without your phone. Each lets you in once. They are shown only now,
        and earlier ones do not work any more.
      </p>
      <ul className={styles.codes} aria-label="Backup codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <Button variant="filled" onClick={() => void copy(codes.join("\n"), "the backup codes")}>
          Copy all
        </Button>
        <Button onClick={onDone}>I keep them</Button>
      </div>
    </div>
  )
}
