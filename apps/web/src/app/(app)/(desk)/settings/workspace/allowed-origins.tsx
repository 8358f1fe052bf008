"use client"

import { useTRPC } from "@docket/client/react"
import { useQuery } from "@tanstack/react-query"
import { PageLink } from "../../../../../shell/page-link.tsx"
import { Loaded } from "../../../../../ui/loaded.tsx"
import settings from "../settings.module.css"
import { originsIn } from "./origins-in.ts"
import styles from "./workspace.module.css"

/** The origins in the configuration whose pages may call this workspace. */
export function AllowedOrigins() {
  const trpc = useTRPC()
  const config = useQuery(trpc.config.effective.queryOptions({}))
  return (
    <>
      <Loaded query={config} failed="The configuration cannot be read" loading="Loading the configuration">
        {({ values }) => {
          const origins = originsIn(values)
          if (origins.length === 0) return <p className={settings.hint}>No page of another site may call.</p>
          return (
            <ul aria-label="Sites whose pages may call">
              {origins.map((origin) => (
                <li key={origin} className={settings.provider}>
                  <div className={settings.line}>
                    <code className={styles.root}>{origin}</code>
                  </div>
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
      <p className={settings.hint}>
        Such pages call with a key, never with your cookies. The list is <code>api.origins</code> in the{" "}
        <PageLink href="/settings/config">configuration</PageLink> of the workspace.
      </p>
    </>
  )
}
