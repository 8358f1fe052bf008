"use client"

import type { PermissionPreset } from "@docket/core/schema"
import { ShieldHalf } from "lucide-react"
import type { ComponentProps } from "react"
import { PickerButton } from "../../ui/picker-button.tsx"
import { presetName } from "./preset-name.ts"

interface PresetButtonProps extends Omit<ComponentProps<typeof PickerButton>, "name" | "value" | "icon"> {
  current: PermissionPreset | null
}

/** Shows the permission preset and opens its menu. */
export function PresetButton({ current, ...rest }: PresetButtonProps) {
  return (
    <PickerButton
      name="Permissions"
      value={presetName(current)}
      icon={<ShieldHalf size={16} aria-hidden />}
      aria-keyshortcuts="Alt+P"
      {...rest}
    />
  )
}
