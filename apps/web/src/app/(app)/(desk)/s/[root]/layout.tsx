import type { ReactNode } from "react"
import { FindInTree } from "../../../../../features/session-page/find-in-tree.tsx"

interface TreeLayoutProps {
  children: ReactNode
  params: Promise<{ root: string }>
}

/** Layout of a tree's pages. The search in the tree stays open when the user moves between them. */
export default async function TreeLayout({ children, params }: TreeLayoutProps) {
  const { root } = await params
  return <FindInTree rootID={root}>{children}</FindInTree>
}
