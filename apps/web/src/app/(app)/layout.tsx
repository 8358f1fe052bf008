import type { ReactNode } from "react"
import "../../theme/mantine.css"
import { AppProviders } from "../../features/frame/app-providers.tsx"

/** The signed-in application. */
export default function AppLayout({ children }: { children: ReactNode }) {
  return <AppProviders>{children}</AppProviders>
}
