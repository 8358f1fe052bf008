"use client"

import { Kbd } from "../../ui/kbd.tsx"
import styles from "./key-list.module.css"
import { keymap } from "./keymap.ts"
import { useModKey } from "./use-mod-key.ts"

/** Every shortcut, by place. */
export function KeyList() {
  const mod = useModKey()
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
                  {entry.keys.map((key, index) => (
                    <Kbd key={index}>{key === "Mod" ? mod : key}</Kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}
