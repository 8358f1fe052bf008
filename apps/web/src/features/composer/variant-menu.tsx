"use client"

import { Menu } from "@mantine/core"
import { Check } from "lucide-react"
import { Choice } from "../../ui/choice.tsx"
import { PickerButton } from "../../ui/picker-button.tsx"
import { noVariant, type VariantPickerProps } from "./variant-picker.tsx"

export function VariantMenu(props: VariantPickerProps & { value: string }) {
  return (
    <Menu width={220} position="top-start" defaultOpened returnFocus>
      <Menu.Target>
        <PickerButton name="Variant" value={props.value} />
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
              name={variant ?? noVariant}
              hint={variant === null ? "What the agent and the model are set to" : null}
            />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
