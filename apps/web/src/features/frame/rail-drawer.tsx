"use client"

import { Drawer } from "@mantine/core"
import { useLayer } from "../../shell/layers-provider.tsx"
import { SessionRail } from "../session-rail/session-rail.tsx"
import styles from "./app-frame.module.css"

/** The session rail as a drawer, where the screen is too narrow to show it beside the page. */
export function RailDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  useLayer(opened, onClose)
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      size={300}
      withCloseButton={false}
      padding={0}
      title={<span className="visually-hidden">Sessions</span>}
      classNames={{ body: styles.drawer ?? "", header: styles.drawerHead ?? "" }}
    >
      <SessionRail onNavigate={onClose} />
    </Drawer>
  )
}
