"use client"

import { laterPart } from "../../ui/later-part.ts"
import { OnDemand } from "../../ui/on-demand.tsx"
import { SessionMenuButton, type SessionMenuProps } from "./session-menu-button.tsx"

const sessionActions = laterPart(() => import("./session-actions.tsx").then((it) => it.SessionActions))

/** The actions for one session, such as rename, export and delete. Only a root can be archived. */
export function SessionMenu(props: SessionMenuProps) {
  return (
    <OnDemand
      part={sessionActions}
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
      {(SessionActions) => <SessionActions {...props} />}
    </OnDemand>
  )
}
