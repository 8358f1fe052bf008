import type { Metadata } from "next"
import { hasAccounts } from "../../login/env.ts"
import { SettingsPage } from "./settings.tsx"

export const metadata: Metadata = { title: "Settings" }

export default function Settings() {
  return <SettingsPage isTeam={hasAccounts()} />
}
