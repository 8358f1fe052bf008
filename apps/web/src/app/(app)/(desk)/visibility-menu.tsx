"use client"

import type { SessionVisibility } from "@docket/core/schema"
import { Menu } from "@mantine/core"
import { Check } from "lucide-react"
import { PageMenu } from "../../../shell/page-menu.tsx"
import { Choice } from "../../../ui/choice.tsx"
import { VisibilityButton } from "./visibility-button.tsx"
import { visibilityLabels } from "./visibility-labels.ts"

export interface VisibilityMenuProps {
  current: SessionVisibility
  onPick: (visibility: SessionVisibility) => void
}

// The keys of the literal object.
const choices = Object.keys(visibilityLabels) as SessionVisibility[]

export function VisibilityMenu({ current, onPick }: VisibilityMenuProps) {
  return (
    <PageMenu width={280} position="top-start" defaultOpened returnFocus>
      <Menu.Target>
        <VisibilityButton current={current} />
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map((visibility) => (
          <Menu.Item
            key={visibility}
            aria-current={visibility === current ? "true" : undefined}
            rightSection={visibility === current ? <Check size={14} aria-label="chosen" /> : null}
            onClick={() => onPick(visibility)}
          >
            <Choice {...visibilityLabels[visibility]} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </PageMenu>
  )
}
