import type { Metadata } from "next"
import { hasAccounts } from "../../../login/env.ts"
import { SettingsPage } from "../settings.tsx"

export const metadata: Metadata = { title: "Models and rules" }

export default function Models() {
  return <SettingsPage isTeam={hasAccounts()} />
}
