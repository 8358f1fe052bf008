import type { Metadata } from "next"
import { readFirstView } from "../../../../../features/session-page/read-first-view.ts"
import { SessionPage } from "../../../../../features/session-page/session-page.tsx"

export const metadata: Metadata = { title: "Session" }

interface Props {
  params: Promise<{ root: string }>
  searchParams: Promise<{ part?: string }>
}

export default async function RootSessionPage({ params, searchParams }: Props) {
  const { root } = await params
  const { part = null } = await searchParams
  const first = await readFirstView({ rootID: root, sessionID: root, part })
  return <SessionPage rootID={root} childID={null} first={first} />
}
