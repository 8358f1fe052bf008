"use client"

import { presets } from "@docket/core/rule"
import type { PermissionPreset } from "@docket/core/schema"
import { Menu } from "@mantine/core"
import { Check } from "lucide-react"
import { PageMenu } from "../../shell/page-menu.tsx"
import { Choice } from "../../ui/choice.tsx"
import { PresetButton } from "./preset-button.tsx"
import { presetName } from "./preset-name.ts"

export interface PresetMenuProps {
  /** Null for what the rules say alone. */
  current: PermissionPreset | null
  onPick: (preset: PermissionPreset | null) => unknown
}

const byTheRules = { name: null, does: "Just what your rules say." }

export function PresetMenu(props: PresetMenuProps) {
  return (
    <PageMenu width={300} position="top-start" defaultOpened returnFocus>
      <Menu.Target>
        <PresetButton current={props.current} />
      </Menu.Target>
      <Menu.Dropdown>
        {[byTheRules, ...presets].map(({ name, does }) => (
          <Menu.Item
            key={name ?? ""}
            aria-current={name === props.current ? "true" : undefined}
            rightSection={name === props.current ? <Check size={14} aria-label="chosen" /> : null}
            onClick={() => props.onPick(name)}
          >
            <Choice name={presetName(name)} hint={does} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </PageMenu>
  )
}
