"use client"

import { MantineProvider } from "@mantine/core"
import { Notifications } from "@mantine/notifications"
import type { ReactNode } from "react"
import { cookieColorSchemeManager } from "../theme/cookie-color-scheme-manager.ts"
import { theme } from "../theme/theme.ts"

const colorSchemeManager = cookieColorSchemeManager()

export function AppProviders({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" colorSchemeManager={colorSchemeManager}>
      {children}
      <Notifications position="bottom-right" limit={3} />
    </MantineProvider>
  )
}
