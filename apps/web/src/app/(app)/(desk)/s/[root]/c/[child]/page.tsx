import type { Metadata } from "next"
import { SessionPage } from "../../../../../../../features/session-page/session-page.tsx"

export const metadata: Metadata = { title: "Session" }

export default async function ChildSessionPage({ params }: { params: Promise<{ root: string; child: string }> }) {
  const { root, child } = await params
  return <SessionPage rootID={root} childID={child} />
}
