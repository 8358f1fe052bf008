"use client"

import { Menu, type MenuProps } from "@mantine/core"
import { useState } from "react"
import { useLayer } from "./layers-provider.tsx"

/** A menu that Back closes on phones. Without `opened` it manages its own state. */
export function PageMenu({ opened, defaultOpened = false, onChange, ...props }: MenuProps) {
  const [own, setOwn] = useState(defaultOpened)
  const shown = opened ?? own
  const set = (next: boolean) => {
    setOwn(next)
    onChange?.(next)
  }
  useLayer(shown, () => set(false), "phone")
  return <Menu {...props} opened={shown} onChange={set} />
}
