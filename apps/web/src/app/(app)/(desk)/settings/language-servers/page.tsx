import type { Metadata } from "next"
import { LanguageServersPage } from "./language-servers-page.tsx"

export const metadata: Metadata = { title: "Language servers" }

export default function LanguageServers() {
  return <LanguageServersPage />
}
