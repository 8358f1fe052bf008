"use client"

import type { Project } from "@docket/core/schema"
import { Menu } from "@mantine/core"
import { Check, FolderOpen } from "lucide-react"
import { useAppActions } from "../../../shell/app-actions.tsx"
import { Can } from "../../../shell/me.tsx"
import { PageMenu } from "../../../shell/page-menu.tsx"
import { Choice } from "../../../ui/choice.tsx"
import { PickerButton } from "../../../ui/picker-button.tsx"

/** Maximum number of projects in the menu; the picker dialog lists the others. */
const maxListed = 12

/** Chooses the project of a new session. */
export function ProjectMenu(props: { projects: Project[]; current: Project; onPick: (id: string) => void }) {
  const { openProject } = useAppActions()
  return (
    <PageMenu width={280} position="top-start" defaultOpened returnFocus>
      <Menu.Target>
        <PickerButton name="Project" value={props.current.name} />
      </Menu.Target>
      <Menu.Dropdown>
        {props.projects.slice(0, maxListed).map((project) => (
          <Menu.Item
            key={project.id}
            rightSection={project.id === props.current.id ? <Check size={14} aria-label="chosen" /> : null}
            onClick={() => props.onPick(project.id)}
          >
            <Choice name={project.name} hint={project.directory} />
          </Menu.Item>
        ))}
        <Can do="projects.manage">
          <Menu.Divider />
          <Menu.Item leftSection={<FolderOpen size={14} />} onClick={openProject}>
            Open a project…
          </Menu.Item>
        </Can>
      </Menu.Dropdown>
    </PageMenu>
  )
}
