"use client"

import { Menu as MenuIcon } from "lucide-react"
import type { ReactNode } from "react"
import { IconButton } from "../ui/icon-button.tsx"
import { useAppActions } from "./app-actions.tsx"
import styles from "./page-header.module.css"

/** The 44 px bar on top of a page. On a phone it holds the button for the session rail. */
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

/** Holds the place of a button until what it acts on is known. */
export function ActionSpace() {
  return <span className={styles.action} />
}
