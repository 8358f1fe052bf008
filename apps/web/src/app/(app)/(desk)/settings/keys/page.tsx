import type { Metadata } from "next"
import { KeysPage } from "./keys-page.tsx"

export const metadata: Metadata = { title: "API keys" }

export default function Keys() {
  return <KeysPage />
}
