import type { Metadata } from "next"
import { AuditPage } from "./audit-page.tsx"

export const metadata: Metadata = { title: "Audit" }

export default function Audit() {
  return <AuditPage />
}
