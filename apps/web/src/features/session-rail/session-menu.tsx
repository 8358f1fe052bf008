"use client"

import type { Session } from "@docket/core/schema"
import { Ellipsis } from "lucide-react"
import { type ComponentPropsWithRef, lazy } from "react"
import { IconButton } from "../../ui/icon-button.tsx"
import { loadPart } from "../../ui/load-part.ts"
import { OnDemand } from "../../ui/on-demand.tsx"
import { sessionTitle } from "../../ui/session-title.ts"

const SessionActions = lazy(() =>
  loadPart(() => import("./session-actions.tsx").then((it) => ({ default: it.SessionActions }))),
)

export interface SessionMenuProps {
  session: Session
  /** Rows of the rail keep their buttons out of the tab order. */
  tabIndex?: number
  /** Pixels; without it, as high as other controls. */
  size?: number
  opened?: boolean
  onChange?: (opened: boolean) => void
}

/** Rename, archive and delete for one session. Only a root can be archived. */
export function SessionMenu(props: SessionMenuProps) {
  return (
    <OnDemand
      used={props.opened === true}
      face={(open) => (
        <SessionMenuButton
          {...props}
          onClick={() => {
            open()
            props.onChange?.(true)
          }}
        />
      )}
    >
      <SessionActions {...props} />
    </OnDemand>
  )
}

export function SessionMenuButton(
  props: SessionMenuProps & Pick<ComponentPropsWithRef<"button">, "onClick" | "ref" | "id">,
) {
  const { session, opened: _, onChange: __, size, ...rest } = props
  return (
    <IconButton
      label={`Actions for ${sessionTitle(session.title)}`}
      aria-haspopup="menu"
      {...(size ? { size } : {})}
      {...rest}
    >
      <Ellipsis size={16} />
    </IconButton>
  )
}
