import { ChevronLeft } from "lucide-react"
import type { ReactNode } from "react"
import { PageHeader } from "../../../../shell/page-header.tsx"
import { PageLink } from "../../../../shell/page-link.tsx"
import styles from "./settings-frame.module.css"

/** The header of a Settings page. On phones it has a link back to the list. */
export function SettingsHeader({ title, actions }: { title: string; actions?: ReactNode }) {
  return (
    <PageHeader actions={actions}>
      <PageLink href="/settings" className={styles.back} aria-label="All settings">
        <ChevronLeft size={18} aria-hidden />
      </PageLink>
      <h1>{title}</h1>
    </PageHeader>
  )
}
