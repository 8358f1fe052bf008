import type { Metadata } from "next"
import { Inbox } from "./inbox.tsx"

export const metadata: Metadata = { title: "Inbox" }

export default function InboxPage() {
  return <Inbox />
}
