import type { Metadata } from "next"
import { SharesPage } from "./shares-page.tsx"

export const metadata: Metadata = { title: "My shares" }

export default function Shares() {
  return <SharesPage />
}
