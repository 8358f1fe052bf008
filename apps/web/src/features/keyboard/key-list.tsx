"use client"

import styles from "./key-list.module.css"
import { keymap } from "./keymap.ts"
import { Keys } from "./keys.tsx"

/** All shortcuts, grouped by place. */
export function KeyList() {
  return (
    <div className={styles.groups}>
      {keymap.map((group) => (
        <section key={group.title}>
          <h3 className={styles.title}>{group.title}</h3>
          <dl className={styles.list}>
            {group.keys.map((entry) => (
              <div key={entry.does} className={styles.row}>
                <dt>{entry.does}</dt>
                <dd>
                  <Keys keys={entry.keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}
