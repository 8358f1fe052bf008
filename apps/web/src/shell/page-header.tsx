"use client"

import { Menu as MenuIcon } from "lucide-react"
import type { ReactNode } from "react"
import { IconButton } from "../ui/icon-button.tsx"
import { useAppActions } from "./app-actions.tsx"
import styles from "./page-header.module.css"

/** The 44 px bar at the top of a page. On phones it has the button for the session rail. */
export function PageHeader({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  const { openRail } = useAppActions()
  return (
    <header className={styles.header}>
      <span className={styles.menu}>
        <IconButton label="Sessions" onClick={openRail}>
          <MenuIcon size={18} />
        </IconButton>
      </span>
      <div className={styles.title}>{children}</div>
      <div className={styles.actions}>{actions}</div>
    </header>
  )
}

/** Placeholder of a button until its target is loaded. */
export function ActionSpace() {
  return <span className={styles.action} />
}
