import { Tabs } from "@mantine/core"
import type { ReactNode } from "react"
import styles from "./side-tabs.module.css"

interface SideTabsProps<Tab extends string> {
  label: string
  /** The tabs in order, with their labels. */
  tabs: Readonly<Record<Tab, string>>
  value: Tab
  onTab(tab: Tab): void
  /** Content after the label of a tab. */
  after?: (tab: Tab) => ReactNode
  /** The panel of a tab. */
  children(tab: Tab): ReactNode
}

/** A column with tabs. Only the selected panel is rendered. */
export function SideTabs<Tab extends string>({ label, tabs, value, onTab, after, children }: SideTabsProps<Tab>) {
  // The keys of this record are the tabs.
  const names = Object.keys(tabs) as Tab[]
  return (
    <Tabs
      value={value}
      onChange={(next) => {
        const tab = names.find((name) => name === next)
        if (tab !== undefined) onTab(tab)
      }}
      keepMounted={false}
      className={styles.tabs ?? ""}
    >
      <Tabs.List aria-label={label} className={styles.list ?? ""}>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name} className={styles.tab ?? ""}>
            {tabs[name]}
            {after?.(name)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {names.map((name) => (
        <Tabs.Panel key={name} value={name} className={styles.panel ?? ""} tabIndex={0}>
          {children(name)}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
