import type { Metadata, Viewport } from "next"
import { headers } from "next/headers"
import type { ReactNode } from "react"
import "../theme/tokens.css"
import "../theme/base.css"
// Styles of the pages for missing and broken pages. They are needed everywhere, so they belong to every page's style
// sheet.
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
  // A software keyboard shrinks the page instead of covering the prompt field at its end.
  interactiveWidget: "resizes-content",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f8f9fb" },
    { media: "(prefers-color-scheme: dark)", color: "#0f1115" },
  ],
}

/** Preview images of shared sessions need absolute URLs. The server provides its own address. */
async function ownOrigin(): Promise<URL> {
  return new URL((await headers()).get("x-docket-origin") ?? "http://localhost")
}

/**
 * Shared by every page, including public ones: fonts, tokens and the colour scheme, without Mantine. Reading the nonce
 * makes every page render per request, which the script policy needs.
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
