"use client"

import { Menu, type MenuProps } from "@mantine/core"
import { useState } from "react"
import { useLayer } from "./layers-provider.tsx"

/** A menu that Back closes on a phone. Without `opened` it keeps for itself whether it is open. */
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
