"use client"

import type { ProjectTrust } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import type { Project } from "@docket/core/schema"
import { describeEntry } from "../../../../../features/project-trust/describe-entry.ts"
import { TrustBar } from "../../../../../features/project-trust/trust-bar.tsx"
import { formatCount } from "../../../../../ui/format-count.ts"
import settings from "../settings.module.css"
import { waitingEntries, waitingMessage } from "../waiting-entries.ts"
import styles from "./config.module.css"
import { originLabel } from "./config-labels.ts"

/** Entries of a project that are not in force until the user trusts it: a summary, and the full list. */
export function LeftOut({ project, trust }: { project: Project; trust: ProjectTrust }) {
  const waiting = waitingEntries(trust)
  if (waiting.length === 0) return null
  return (
    <section className={settings.section} aria-labelledby="config-waiting">
      <h2 id="config-waiting" className={settings.heading}>
        Waits for your trust
      </h2>
      <TrustBar projectID={project.id} next="#config-files">
        <strong>
          {formatCount(waiting.length, "thing")} that this project brings {waiting.length === 1 ? "does" : "do"} not
          count:
        </strong>{" "}
        {waitingMessage(trust)}.
      </TrustBar>
      <details className={styles.left}>
        <summary>Which</summary>
        <ul>
          {waiting.map((entry) => (
            <li key={[entry.file, entry.line, ...entry.path].join("\n")} className={styles.waiting}>
              <span>{visibleText(describeEntry(entry))}</span>
              <span className={styles.from}>{originLabel({ layer: "project", ...entry }, project.worktree)}</span>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
