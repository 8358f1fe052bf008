"use client"

import type { Session } from "@docket/core/schema"
import { Lock } from "lucide-react"
import { isPrivate } from "../../ui/is-private.ts"
import { usePeople } from "../../ui/use-people.ts"
import styles from "./session-page.module.css"

/** Shows that only the author can see this session. Nothing when nobody else has an account. */
export function PrivateMark({ root }: { root: Session }) {
  const { alone } = usePeople()
  if (alone || !isPrivate(root)) return null
  return (
    <span className={styles.private} title="Only you see this session. Show it to everybody here in its menu.">
      <Lock size={12} aria-hidden />
      <span className={styles.archivedWord}>Only you</span>
    </span>
  )
}
