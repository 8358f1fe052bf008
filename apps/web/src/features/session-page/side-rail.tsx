"use client"

import { Tabs } from "@mantine/core"
import { useState } from "react"
import styles from "./session-page.module.css"
import { type Panel, panelLabel, panels, SidePanel, type SidePanelProps } from "./side-panel.tsx"

/** The right rail of a wide screen: Todos, Agents, Files, Cost. */
export function SideRail(props: SidePanelProps) {
  const [panel, setPanel] = useState<Panel>("todos")
  return (
    <section className={styles.side} aria-label="Session details">
      <Tabs
        value={panel}
        // Mantine hands back one of the values below.
        onChange={(value) => setPanel((value ?? "todos") as Panel)}
        keepMounted={false}
        className={styles.tabs ?? ""}
      >
        <Tabs.List aria-label="Session details" className={styles.tabList ?? ""}>
          {panels.map((name) => (
            <Tabs.Tab key={name} value={name} className={styles.tab ?? ""}>
              {panelLabel[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {panels.map((name) => (
          <Tabs.Panel key={name} value={name} className={styles.panel ?? ""} tabIndex={0}>
            <SidePanel panel={name} {...props} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </section>
  )
}
