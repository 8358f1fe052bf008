"use client"

import { useMe } from "../../shell/me.tsx"
import { laterPart } from "../../ui/later-part.ts"
import { OnDemand } from "../../ui/on-demand.tsx"
import { AccountButton } from "./account-button.tsx"

const accountMenu = laterPart(() => import("./account-menu.tsx").then((it) => it.AccountMenu))

/** The signed-in user, and sign-out. Nothing in a service without accounts. */
export function AccountRow({ onNavigate }: { onNavigate: () => void }) {
  if (!useMe().hasTeam) return null
  return (
    <OnDemand part={accountMenu} face={(open) => <AccountButton onClick={open} />}>
      {(AccountMenu) => <AccountMenu onNavigate={onNavigate} />}
    </OnDemand>
  )
}
