"use client"

import { Button, type ButtonProps } from "@mantine/core"
import { ChevronDown } from "lucide-react"
import type { ComponentPropsWithRef, ReactNode } from "react"
import styles from "./picker-button.module.css"

type PickerButtonProps = ButtonProps &
  Omit<ComponentPropsWithRef<"button">, keyof ButtonProps> & {
    /** The name of the choice, e.g. "Agent". */
    name: string
    value: string
    /** Keeps its width when several pickers share a row; the others shrink first. */
    keeps?: boolean
    /** Shown instead of the value on a phone. */
    icon?: ReactNode
  }

/** Shows a choice and opens its list. */
export function PickerButton({ name, value, keeps = false, icon = null, className = "", ...rest }: PickerButtonProps) {
  return (
    <Button
      variant="subtle"
      color="gray"
      className={`${styles.picker} ${className}`}
      data-keeps={keeps}
      aria-label={`${name}: ${value}`}
      aria-haspopup="true"
      rightSection={<ChevronDown size={12} aria-hidden />}
      {...rest}
    >
      {icon === null ? (
        value
      ) : (
        <>
          <span className={styles.icon}>{icon}</span>
          <span className={styles.value}>{value}</span>
        </>
      )}
    </Button>
  )
}
