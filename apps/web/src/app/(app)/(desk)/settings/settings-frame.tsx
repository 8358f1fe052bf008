"use client"

import { useSelectedLayoutSegment } from "next/navigation"
import type { ReactNode } from "react"
import { PageHeader } from "../../../../shell/page-header.tsx"
import styles from "./settings-frame.module.css"
import { SettingsList } from "./settings-list.tsx"

/**
 * The list of pages beside the page. On a phone it is a page of its own, from which the others are opened; without
 * accounts it has little in it there and stands on the first page.
 */
export function SettingsFrame({ isTeam, children }: { isTeam: boolean; children: ReactNode }) {
  const isFirst = useSelectedLayoutSegment() === null
  const phone = isFirst && isTeam ? "list" : "page"
  return (
    <div className={styles.frame} data-phone={phone}>
      <div className={styles.side}>
        {isFirst ? (
          <div className={styles.phoneHead}>
            <PageHeader>
              <h1>Settings</h1>
            </PageHeader>
          </div>
        ) : null}
        <p className={styles.head} aria-hidden>
          Settings
        </p>
        <SettingsList isTeam={isTeam} />
      </div>
      <div className={styles.page}>{children}</div>
    </div>
  )
}
