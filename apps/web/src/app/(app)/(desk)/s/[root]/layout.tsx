import type { ReactNode } from "react"
import { FindInTree } from "../../../../../features/session-page/find-in-tree.tsx"

interface TreeLayoutProps {
  children: ReactNode
  params: Promise<{ root: string }>
}

/** The pages of one tree: what is found in it stays open from one to the other. */
export default async function TreeLayout({ children, params }: TreeLayoutProps) {
  const { root } = await params
  return <FindInTree rootID={root}>{children}</FindInTree>
}
