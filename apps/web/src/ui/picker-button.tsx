"use client"

import { Button, type ButtonProps } from "@mantine/core"
import { ChevronDown } from "lucide-react"
import type { ComponentPropsWithRef } from "react"
import styles from "./picker-button.module.css"

type PickerButtonProps = ButtonProps &
  Omit<ComponentPropsWithRef<"button">, keyof ButtonProps> & {
    /** What is chosen, e.g. "Agent". */
    name: string
    value: string
  }

/** Shows a choice and opens its list. */
export function PickerButton({ name, value, ...rest }: PickerButtonProps) {
  return (
    <Button
      variant="subtle"
      color="gray"
      className={styles.picker ?? ""}
      aria-label={`${name}: ${value}`}
      aria-haspopup="true"
      rightSection={<ChevronDown size={12} aria-hidden />}
      {...rest}
    >
      {value}
    </Button>
  )
}
