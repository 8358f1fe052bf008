"use client"

import type { Session } from "@docket/core/schema"
import { Lock } from "lucide-react"
import { isPrivate } from "./is-private.ts"
import styles from "./private-lock.module.css"
import { usePeople } from "./use-people.ts"

/** A lock in a list for a session that only its author sees; renders nothing where nobody else has an account. */
export function PrivateLock({ session }: { session: Pick<Session, "parentID" | "visibility"> }) {
  const { alone } = usePeople()
  if (alone || !isPrivate(session)) return null
  return (
    <span className={styles.lock} title="Only you see this session">
      <Lock size={12} aria-hidden />
      <span className="visually-hidden">, only you see it</span>
    </span>
  )
}
