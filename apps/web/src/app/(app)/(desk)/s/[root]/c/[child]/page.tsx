import type { Metadata } from "next"
import { readFirstView } from "../../../../../../../features/session-page/read-first-view.ts"
import { SessionPage } from "../../../../../../../features/session-page/session-page.tsx"

export const metadata: Metadata = { title: "Session" }

interface Props {
  params: Promise<{ root: string; child: string }>
  searchParams: Promise<{ part?: string }>
}

export default async function ChildSessionPage({ params, searchParams }: Props) {
  const { root, child } = await params
  const { part = null } = await searchParams
  const first = await readFirstView({ rootID: root, sessionID: child, part })
  return <SessionPage rootID={root} childID={child} first={first} />
}
