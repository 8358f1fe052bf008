import type { AuditEntry } from "@docket/core/schema"
import { PageLink } from "../../../../../shell/page-link.tsx"
import page from "../../../../../ui/page.module.css"
import { RelativeTime } from "../../../../../ui/relative-time.tsx"
import { usePeople } from "../../../../../ui/use-people.ts"
import styles from "./audit.module.css"
import { accessLabel, sessionOf, subjectLabels } from "./audit-labels.ts"

const failures = new Set<AuditEntry["act"]>(["call.refused", "sign-in.failed"])

/** One entry: who did what to what, and below it when and how. `words`: label of its act. */
export function AuditRow({ entry, words }: { entry: AuditEntry; words: string }) {
  const about = subjectLabels(entry)
  const session = sessionOf(entry)
  const { me, alone } = usePeople()
  const name = alone && entry.person?.id === me ? "You" : (entry.person?.name ?? "Somebody")
  return (
    <li className={`${styles.row} ${failures.has(entry.act) ? styles.refused : ""}`}>
      <span className={styles.what}>
        <strong>
          <bdi>{name}</bdi>
        </strong>{" "}
        <span className={styles.act}>{words}</span>
        {about.length > 0 ? (
          <span className={styles.about}>
            {": "}
            <bdi>{about.join(" · ")}</bdi>
          </span>
        ) : null}
      </span>
      <span className={page.note}>
        <RelativeTime time={entry.at} /> · <bdi>{accessLabel(entry)}</bdi>
        {session === null ? null : (
          <>
            {" · "}
            <PageLink href={`/s/${session}`}>Open the session</PageLink>
          </>
        )}
      </span>
    </li>
  )
}
