import type { Metadata } from "next"
import { ComparePage } from "./compare-page.tsx"

export const metadata: Metadata = { title: "Compare" }

export default async function CompareTasksPage({ params }: { params: Promise<{ root: string }> }) {
  const { root } = await params
  return <ComparePage rootID={root} />
}
