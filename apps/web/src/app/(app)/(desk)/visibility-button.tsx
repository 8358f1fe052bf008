"use client"

import type { SessionVisibility } from "@docket/core/schema"
import { Lock, Users } from "lucide-react"
import type { ComponentProps } from "react"
import { PickerButton } from "../../../ui/picker-button.tsx"
import { visibilityLabels } from "./visibility-labels.ts"

interface VisibilityButtonProps extends Omit<ComponentProps<typeof PickerButton>, "name" | "value" | "icon"> {
  current: SessionVisibility
}

/** Shows the visibility of the new session, and opens its menu. */
export function VisibilityButton({ current, ...rest }: VisibilityButtonProps) {
  const Icon = current === "author" ? Lock : Users
  return (
    <PickerButton
      name="Seen by"
      value={visibilityLabels[current].name}
      icon={<Icon size={16} aria-hidden />}
      {...rest}
    />
  )
}
