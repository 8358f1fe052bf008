import { headers } from "next/headers"
import type { ReactNode } from "react"
import "../../theme/mantine.css"
import { AppProviders } from "../../features/frame/app-providers.tsx"
import { ExposedStrip } from "../../features/frame/exposed-strip.tsx"
import { readPageOwner } from "../../features/frame/read-page-owner.ts"

/**
 * The application for signed-in users. The user's data is sent with the page, so that nothing is shown and then
 * removed.
 */
export default async function AppLayout({ children }: { children: ReactNode }) {
  const isExposed = (await headers()).get("x-docket-exposed") === "1"
  return (
    <AppProviders owner={await readPageOwner()}>
      {isExposed ? <ExposedStrip /> : null}
      {children}
    </AppProviders>
  )
}
