"use client"

import { ActionIcon, type ActionIconProps } from "@mantine/core"
import { type ComponentPropsWithRef, type ReactNode, Suspense } from "react"
import { LazyTooltip } from "./lazy-tooltip.tsx"
import { useRest } from "./use-rest.ts"

type IconButtonProps = Omit<ActionIconProps, "children"> &
  Omit<
    ComponentPropsWithRef<"button">,
    keyof ActionIconProps | keyof ReturnType<typeof useRest>["handlers"] | "aria-label"
  > & {
    /** The accessible name and the tooltip. */
    label: string
    children: ReactNode
  }

/** A button with only an icon. It always has an accessible name. */
export function IconButton({ label, children, ...rest }: IconButtonProps) {
  const { at, resting, handlers } = useRest()
  return (
    <>
      <ActionIcon aria-label={label} {...rest} {...handlers}>
        {children}
      </ActionIcon>
      {at === null ? null : (
        <Suspense>
          <LazyTooltip label={label} target={at} opened={resting} />
        </Suspense>
      )}
    </>
  )
}
