import type { ReactNode } from "react"
import page from "../../../../ui/page.module.css"
import styles from "./settings.module.css"
import { SettingsHeader } from "./settings-header.tsx"

/** A Settings page: its header, an introduction, and its content. */
export function TeamPage(props: { title: string; intro: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <div className={page.page}>
      <SettingsHeader title={props.title} actions={props.actions} />
      <div className={page.main}>
        <p className={styles.about}>{props.intro}</p>
        {props.children}
      </div>
    </div>
  )
}
