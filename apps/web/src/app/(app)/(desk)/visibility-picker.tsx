"use client"

import { laterPart } from "../../../ui/later-part.ts"
import { OnDemand } from "../../../ui/on-demand.tsx"
import type { VisibilityOfNew } from "./use-visibility.ts"
import { VisibilityButton } from "./visibility-button.tsx"

const visibilityMenu = laterPart(() => import("./visibility-menu.tsx").then((it) => it.VisibilityMenu))

/** Chooses the visibility of the new session; renders nothing where nobody else has an account. */
export function VisibilityPicker({ visibility, choose }: Pick<VisibilityOfNew, "visibility" | "choose">) {
  if (visibility === null) return null
  return (
    <OnDemand part={visibilityMenu} face={(open) => <VisibilityButton current={visibility} onClick={open} />}>
      {(VisibilityMenu) => <VisibilityMenu current={visibility} onPick={choose} />}
    </OnDemand>
  )
}
