import type { Metadata } from "next"
import { Inbox } from "./inbox.tsx"
import { readFirstInbox } from "./read-first-inbox.ts"

export const metadata: Metadata = { title: "Inbox" }

export default async function InboxPage() {
  return <Inbox first={await readFirstInbox()} />
}
