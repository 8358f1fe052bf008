"use client"

import { Menu } from "@mantine/core"
import { KeyRound, LogOut, UserMinus } from "lucide-react"
import { PageMenu } from "../../../../../shell/page-menu.tsx"
import { MemberMenuButton } from "./member-menu-button.tsx"
import styles from "./members.module.css"

export interface MemberMenuProps {
  name: string
  isYou: boolean
  mayManage: boolean
  onReset(): void
  onRemove(): void
}

/** The opened menu with actions on one member, except the role. */
export function MemberMenu({ name, isYou, mayManage, onReset, onRemove }: MemberMenuProps) {
  const RemoveIcon = isYou ? LogOut : UserMinus
  return (
    <PageMenu position="bottom-end" width={250} returnFocus defaultOpened>
      <Menu.Target>
        <MemberMenuButton name={name} />
      </Menu.Target>
      <Menu.Dropdown>
        {mayManage ? (
          <Menu.Item leftSection={<KeyRound size={14} />} onClick={onReset}>
            Link for a new password
          </Menu.Item>
        ) : null}
        <Menu.Item className={styles.danger ?? ""} leftSection={<RemoveIcon size={14} />} onClick={onRemove}>
          {isYou ? "Leave the workspace…" : "Remove from the workspace…"}
        </Menu.Item>
      </Menu.Dropdown>
    </PageMenu>
  )
}
