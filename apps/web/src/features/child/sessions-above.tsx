import type { Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { ChevronRight } from "lucide-react"
import Link from "next/link"
import { Fragment } from "react"
import { ancestors } from "./ancestors.ts"
import styles from "./sessions-above.module.css"

interface SessionsAboveProps {
  session: Session
  sessions: Record<string, Session>
}

/** Links from a child session up to its root. */
export function SessionsAbove({ session, sessions }: SessionsAboveProps) {
  return (
    <nav aria-label="Sessions above" className={styles.path}>
      {ancestors(session, sessions).map((above, index) => (
        <Fragment key={above.id}>
          {index === 0 ? null : <ChevronRight size={12} aria-hidden />}
          <Link href={above.id === above.rootID ? `/s/${above.id}` : `/s/${above.rootID}/c/${above.id}`}>
            {shortTitle(above)}
          </Link>
        </Fragment>
      ))}
    </nav>
  )
}
