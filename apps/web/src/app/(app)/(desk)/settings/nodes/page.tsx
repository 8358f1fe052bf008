import type { Metadata } from "next"
import { NodesPage } from "./nodes-page.tsx"

export const metadata: Metadata = { title: "Nodes" }

export default function Nodes() {
  return <NodesPage />
}
