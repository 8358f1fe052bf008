"use client"

import { Menu } from "@mantine/core"
import { Check } from "lucide-react"
import { PageMenu } from "../../shell/page-menu.tsx"
import { Choice } from "../../ui/choice.tsx"
import { PickerButton } from "../../ui/picker-button.tsx"
import { variantName } from "./variant-name.ts"

export interface VariantMenuProps {
  /** Variants of the chosen model, weakest first. */
  variants: string[]
  /** Null: the setting of the agent or the model. */
  current: string | null
  onPick: (variant: string | null) => void
}

export function VariantMenu(props: VariantMenuProps) {
  return (
    <PageMenu width={220} position="top-start" defaultOpened returnFocus>
      <Menu.Target>
        <PickerButton name="Variant" value={variantName(props.current)} />
      </Menu.Target>
      <Menu.Dropdown>
        {[null, ...props.variants].map((variant) => (
          <Menu.Item
            key={variant ?? ""}
            aria-current={variant === props.current ? "true" : undefined}
            rightSection={variant === props.current ? <Check size={14} aria-label="chosen" /> : null}
            onClick={() => props.onPick(variant)}
          >
            <Choice
              name={variantName(variant)}
              hint={variant === null ? "What the agent and the model are set to" : null}
            />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </PageMenu>
  )
}
