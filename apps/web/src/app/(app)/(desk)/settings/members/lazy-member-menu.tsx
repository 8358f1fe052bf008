"use client"

import { laterPart } from "../../../../../ui/later-part.ts"
import { OnDemand } from "../../../../../ui/on-demand.tsx"
import type { MemberMenuProps } from "./member-menu.tsx"
import { MemberMenuButton } from "./member-menu-button.tsx"

const memberMenu = laterPart(() => import("./member-menu.tsx").then((it) => it.MemberMenu))

export function LazyMemberMenu(props: MemberMenuProps) {
  return (
    <OnDemand part={memberMenu} face={(open) => <MemberMenuButton name={props.name} onClick={open} />}>
      {(MemberMenu) => <MemberMenu {...props} />}
    </OnDemand>
  )
}
