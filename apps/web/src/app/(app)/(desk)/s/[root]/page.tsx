import type { Metadata } from "next"
import { SessionPage } from "../../../../../features/session-page/session-page.tsx"

export const metadata: Metadata = { title: "Session" }

export default async function RootSessionPage({ params }: { params: Promise<{ root: string }> }) {
  const { root } = await params
  return <SessionPage rootID={root} childID={null} />
}
