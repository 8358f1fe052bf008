"use client"

import { Button, type ButtonProps } from "@mantine/core"
import { ChevronDown } from "lucide-react"
import type { ComponentPropsWithRef, ReactNode } from "react"
import styles from "./picker-button.module.css"

type PickerButtonProps = ButtonProps &
  Omit<ComponentPropsWithRef<"button">, keyof ButtonProps> & {
    /** What is chosen, e.g. "Agent". */
    name: string
    value: string
    /** It is short, and says most: where several choices share a row, the others give way first. */
    keeps?: boolean
    /** Stands for the value on a phone, where several choices share a row. */
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
