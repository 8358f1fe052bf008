import type { Metadata } from "next"
import { ToolsPage } from "./tools-page.tsx"

export const metadata: Metadata = { title: "Tools" }

export default function Tools() {
  return <ToolsPage />
}
