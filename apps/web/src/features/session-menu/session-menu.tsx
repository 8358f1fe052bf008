"use client"

import { lazy } from "react"
import { loadPart } from "../../ui/load-part.ts"
import { OnDemand } from "../../ui/on-demand.tsx"
import { SessionMenuButton, type SessionMenuProps } from "./session-menu-button.tsx"

const SessionActions = lazy(() =>
  loadPart(() => import("./session-actions.tsx").then((it) => ({ default: it.SessionActions }))),
)

/** Rename, archive and delete for one session. Only a root can be archived. */
export function SessionMenu(props: SessionMenuProps) {
  return (
    <OnDemand
      used={props.opened === true}
      onLeave={() => props.onChange?.(false)}
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
