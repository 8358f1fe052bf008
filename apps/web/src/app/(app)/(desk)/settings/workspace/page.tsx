import type { Metadata } from "next"
import { WorkspacePage } from "./workspace-page.tsx"

export const metadata: Metadata = { title: "Workspace" }

export default function Workspace() {
  return <WorkspacePage />
}
