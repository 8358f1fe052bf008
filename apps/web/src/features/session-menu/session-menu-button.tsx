"use client"

import type { Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { Ellipsis } from "lucide-react"
import type { ComponentPropsWithRef } from "react"
import { IconButton } from "../../ui/icon-button.tsx"

export interface SessionMenuProps {
  session: Session
  /** Rows of the rail keep their buttons out of the tab order. */
  tabIndex?: number
  /** Pixels; when left out, as high as other controls. */
  size?: number
  /** Whether the menu is open, where the caller decides it; when left out, a press on the button does. */
  opened?: boolean
  onChange?: (opened: boolean) => void
}

export function SessionMenuButton(
  props: SessionMenuProps & Pick<ComponentPropsWithRef<"button">, "onClick" | "ref" | "id">,
) {
  const { session, opened: _, onChange: __, size, ...rest } = props
  return (
    <IconButton label={`Actions for ${shortTitle(session)}`} aria-haspopup="menu" {...(size ? { size } : {})} {...rest}>
      <Ellipsis size={16} />
    </IconButton>
  )
}
