import type { Metadata } from "next"
import { ConfigPage } from "./config-page.tsx"

export const metadata: Metadata = { title: "Configuration" }

export default function Configuration() {
  return <ConfigPage />
}
