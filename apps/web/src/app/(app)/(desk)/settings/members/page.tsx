import type { Metadata } from "next"
import { MembersPage } from "./members-page.tsx"

export const metadata: Metadata = { title: "Members" }

export default function Members() {
  return <MembersPage />
}
