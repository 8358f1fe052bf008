"use client"

import { importMessage } from "@docket/client"
import type { ImportReport } from "@docket/core"
import { Button, Group } from "@mantine/core"
import styles from "./transfer.module.css"

/** The report of an import that left something out. */
export function ImportedSession({ report, onOpen }: { report: ImportReport; onOpen: () => void }) {
  return (
    <div className={styles.body}>
      <p role="status">
        “{report.title}” is here, with {importMessage(report.counts)}.
      </p>
      <section aria-label="Not carried over">
        <h3>Not carried over</h3>
        <ul className={styles.left}>
          {report.left.map(({ what, count }) => (
            <li key={what}>
              {what}: <span className="tabular">{count}</span>
            </li>
          ))}
        </ul>
      </section>
      <Group justify="flex-end">
        <Button variant="filled" data-autofocus onClick={onOpen}>
          Open session
        </Button>
      </Group>
    </div>
  )
}
