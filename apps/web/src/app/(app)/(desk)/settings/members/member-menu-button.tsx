"use client"

import { EllipsisVertical } from "lucide-react"
import type { ComponentPropsWithRef } from "react"
import { IconButton } from "../../../../../ui/icon-button.tsx"

export function MemberMenuButton({
  name,
  ...rest
}: { name: string } & Pick<ComponentPropsWithRef<"button">, "onClick" | "ref" | "id">) {
  return (
    <IconButton label={`Actions for ${name}`} aria-haspopup="menu" {...rest}>
      <EllipsisVertical size={16} />
    </IconButton>
  )
}
