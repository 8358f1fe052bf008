"use client"

import { Menu } from "@mantine/core"
import { Check, Plus, Settings } from "lucide-react"
import { useState } from "react"
import { PageLink } from "../../shell/page-link.tsx"
import { PageMenu } from "../../shell/page-menu.tsx"
import { useSwitchWorkspace } from "../../shell/use-switch-workspace.ts"
import { NewWorkspaceDialog } from "./new-workspace-dialog.tsx"
import { WorkspaceButton } from "./workspace-button.tsx"
import { WorkspaceMark } from "./workspace-mark.tsx"
import styles from "./workspace-row.module.css"

interface WorkspaceMenuProps {
  workspaces: readonly { id: string; name: string; isCurrent: boolean }[]
  mayCreate: boolean
  current: string
  onNavigate: () => void
}

/** The user's other workspaces, and the switch to them. */
export function WorkspaceMenu({ workspaces, mayCreate, current, onNavigate }: WorkspaceMenuProps) {
  const { go, isPending } = useSwitchWorkspace()
  const [making, setMaking] = useState(false)
  return (
    <>
      <PageMenu position="bottom-start" width="target" defaultOpened returnFocus>
        <Menu.Target>
          <WorkspaceButton name={current} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Workspaces</Menu.Label>
          {workspaces.map(({ id, name, isCurrent }) => (
            <Menu.Item
              key={id}
              leftSection={<WorkspaceMark name={name} />}
              rightSection={isCurrent ? <Check size={14} aria-label="You are here" /> : null}
              disabled={isPending}
              onClick={() => (isCurrent ? onNavigate() : go(id, "/"))}
            >
              <bdi className={styles.item}>{name}</bdi>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item
            leftSection={<Settings size={14} />}
            component={PageLink}
            href="/settings/workspace"
            onClick={onNavigate}
          >
            Workspace settings
          </Menu.Item>
          {mayCreate ? (
            <Menu.Item leftSection={<Plus size={14} />} onClick={() => setMaking(true)}>
              New workspace…
            </Menu.Item>
          ) : null}
        </Menu.Dropdown>
      </PageMenu>
      {making ? <NewWorkspaceDialog onClose={() => setMaking(false)} /> : null}
    </>
  )
}
