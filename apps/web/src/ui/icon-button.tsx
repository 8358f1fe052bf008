"use client"

import { ActionIcon, type ActionIconProps, Tooltip } from "@mantine/core"
import type { ComponentPropsWithRef, ReactNode } from "react"

type IconButtonProps = Omit<ActionIconProps, "children"> &
  Omit<ComponentPropsWithRef<"button">, keyof ActionIconProps | "aria-label"> & {
    /** Spoken and shown as the tooltip. */
    label: string
    children: ReactNode
  }

/** A button with only an icon, always with a name. */
export function IconButton({ label, children, ...rest }: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon aria-label={label} {...rest}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
