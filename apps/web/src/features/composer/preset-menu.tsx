"use client"

import { presets } from "@docket/core/rule"
import type { ChosenPreset, PermissionPreset } from "@docket/core/schema"
import { Menu } from "@mantine/core"
import { Check } from "lucide-react"
import { PageMenu } from "../../shell/page-menu.tsx"
import { Choice } from "../../ui/choice.tsx"
import { DoneBy } from "../../ui/person.tsx"
import { RelativeTime } from "../../ui/relative-time.tsx"
import { usePeople } from "../../ui/use-people.ts"
import { PresetButton } from "./preset-button.tsx"
import styles from "./preset-menu.module.css"
import { presetName } from "./preset-name.ts"

export interface PresetMenuProps {
  /** Null: only the rules decide. */
  current: PermissionPreset | null
  /** Who chose the session's preset, and when; null or undefined if nobody did. */
  chosen?: ChosenPreset | null
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
            {name !== null && name === props.current && name === props.chosen?.name ? (
              <ChosenBy {...props.chosen} />
            ) : null}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </PageMenu>
  )
}

/** Names the user who chose the preset. Hidden where nobody else has an account. */
function ChosenBy({ by, at }: ChosenPreset) {
  const { alone } = usePeople()
  if (alone || by === undefined) return null
  return (
    <span className={styles.chosen}>
      <DoneBy did="Chosen" by={by} />, <RelativeTime time={at} />
    </span>
  )
}
