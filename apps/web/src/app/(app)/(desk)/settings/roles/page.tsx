import type { Metadata } from "next"
import { RolesPage } from "./roles-page.tsx"

export const metadata: Metadata = { title: "Roles" }

export default function Roles() {
  return <RolesPage />
}
