import type { ReactNode } from "react"
import { AppFrame } from "../../../features/frame/app-frame.tsx"

/** Pages with the session rail. */
export default function DeskLayout({ children }: { children: ReactNode }) {
  return <AppFrame>{children}</AppFrame>
}
