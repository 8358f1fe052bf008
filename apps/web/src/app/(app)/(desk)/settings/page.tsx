import type { Metadata } from "next"
import { SettingsPage } from "./settings.tsx"

export const metadata: Metadata = { title: "Settings" }

export default function Settings() {
  return <SettingsPage />
}
