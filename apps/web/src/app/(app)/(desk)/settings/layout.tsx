import type { ReactNode } from "react"
import { hasAccounts } from "../../login/env.ts"
import { SettingsFrame } from "./settings-frame.tsx"

export default function SettingsLayout({ children }: { children: ReactNode }) {
  return <SettingsFrame isTeam={hasAccounts()}>{children}</SettingsFrame>
}
