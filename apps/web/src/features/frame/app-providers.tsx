"use client"

import { createDocketClient } from "@docket/client"
import type { PageOwner } from "@docket/client/pages"
import { DocketProvider } from "@docket/client/react"
import { MantineProvider } from "@mantine/core"
import { QueryClientProvider } from "@tanstack/react-query"
import { type ReactNode, useState } from "react"
import { AnnouncerProvider } from "../../shell/announcer.tsx"
import { CommandsProvider } from "../../shell/commands.tsx"
import { LayersProvider } from "../../shell/layers-provider.tsx"
import { MeProvider } from "../../shell/me.tsx"
import { cookieColorSchemeManager } from "../../theme/cookie-color-scheme-manager.ts"
import { theme } from "../../theme/theme.ts"
import { DraftsProvider } from "../composer/drafts.tsx"
import { SingleKeysProvider } from "../keyboard/single-keys.tsx"
import { createQueryClient } from "./query-client.ts"
import { Toasts } from "./toasts.tsx"

function toLogin() {
  if (location.pathname === "/login") return
  location.assign(`/login?next=${encodeURIComponent(location.pathname + location.search)}&ended`)
}

/** All contexts that the signed-in pages need. */
export function AppProviders({ owner, children }: { owner: PageOwner | null; children: ReactNode }) {
  const [{ client, queryClient, colorSchemeManager }] = useState(() => ({
    client: createDocketClient({ url: "", onSignedOut: toLogin }),
    queryClient: createQueryClient(),
    colorSchemeManager: cookieColorSchemeManager(),
  }))
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" colorSchemeManager={colorSchemeManager}>
      <QueryClientProvider client={queryClient}>
        <DocketProvider client={client} queryClient={queryClient}>
          <MeProvider sent={owner}>
            <SingleKeysProvider>
              <AnnouncerProvider>
                <CommandsProvider>
                  <DraftsProvider>
                    <LayersProvider>{children}</LayersProvider>
                  </DraftsProvider>
                </CommandsProvider>
              </AnnouncerProvider>
            </SingleKeysProvider>
          </MeProvider>
        </DocketProvider>
      </QueryClientProvider>
      <Toasts />
    </MantineProvider>
  )
}
