import type { Metadata, Viewport } from "next"
import { headers } from "next/headers"
import type { ReactNode } from "react"
import "../theme/tokens.css"
import "../theme/base.css"
// Of the pages for what is missing or broken, which stand ready behind every page: part of every page's sheet.
import "./page-message.module.css"
import { ClientColorScheme } from "../theme/client-color-scheme.tsx"
import { colorSchemeScript } from "../theme/color-scheme.ts"
import { mono, sans } from "../theme/fonts.ts"

export async function generateMetadata(): Promise<Metadata> {
  return {
    metadataBase: await ownOrigin(),
    title: { default: "Docket", template: "%s · Docket" },
    description: "A self-hosted runtime and review desk for coding agents.",
    robots: { index: false, follow: false },
  }
}

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  // A software keyboard leaves a lower page, with the prompt field at its end, instead of covering it.
  interactiveWidget: "resizes-content",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f8f9fb" },
    { media: "(prefers-color-scheme: dark)", color: "#0f1115" },
  ],
}

/** Cards of shared sessions need whole addresses. The service says where it is reached. */
async function ownOrigin(): Promise<URL> {
  return new URL((await headers()).get("x-docket-origin") ?? "http://localhost")
}

/**
 * What every page shares, the public ones included: fonts, tokens and the colour scheme. No component kit.
 * Reading the nonce makes every page rendered per request, which the policy for scripts needs.
 */
export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined
  return (
    <html
      lang="en"
      className={`${sans.variable} ${mono.variable}`}
      data-mantine-color-scheme="light"
      suppressHydrationWarning
    >
      <head>
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: colorSchemeScript }} />
      </head>
      <body>
        <ClientColorScheme />
        {children}
      </body>
    </html>
  )
}
