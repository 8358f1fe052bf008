import { headers } from "next/headers"
import type { ReactNode } from "react"
import "../../theme/mantine.css"
import { AppProviders } from "../../features/frame/app-providers.tsx"
import { ExposedStrip } from "../../features/frame/exposed-strip.tsx"
import { readPageOwner } from "../../features/frame/read-page-owner.ts"

/** The application for those who sign in. What it is drawn with stands in the page: nothing shows that vanishes then. */
export default async function AppLayout({ children }: { children: ReactNode }) {
  const isExposed = (await headers()).get("x-docket-exposed") === "1"
  return (
    <AppProviders owner={await readPageOwner()}>
      {isExposed ? <ExposedStrip /> : null}
      {children}
    </AppProviders>
  )
}
