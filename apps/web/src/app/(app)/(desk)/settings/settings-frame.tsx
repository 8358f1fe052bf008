"use client"

import { useSelectedLayoutSegment } from "next/navigation"
import type { ReactNode } from "react"
import { PageHeader } from "../../../../shell/page-header.tsx"
import styles from "./settings-frame.module.css"
import { SettingsList } from "./settings-list.tsx"

/**
 * The list of Settings pages beside the page. On phones the list is a page of its own, which links to the others.
 * Without accounts the list is short, so it is shown on the first page.
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
