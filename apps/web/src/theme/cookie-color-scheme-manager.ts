import type { MantineColorScheme, MantineColorSchemeManager } from "@mantine/core"
import { type ColorScheme, colorSchemeCookie } from "./color-scheme.ts"

const year = 31_536_000

function read(): ColorScheme | null {
  const match = document.cookie.match(new RegExp(`(?:^|; )${colorSchemeCookie}=(light|dark|auto)`))
  // The pattern matches only these three words.
  return (match?.[1] as ColorScheme | undefined) ?? null
}

/** Stores the appearance in a cookie, where the script in the document head reads it, also on pages without Mantine. */
export function cookieColorSchemeManager(): MantineColorSchemeManager {
  return {
    get: (fallback) => (typeof document === "undefined" ? fallback : (read() ?? fallback)),
    set: (value: MantineColorScheme) => {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari before 18.4
      document.cookie = `${colorSchemeCookie}=${value}; path=/; max-age=${year}; samesite=lax`
    },
    subscribe: () => {},
    unsubscribe: () => {},
    clear: () => {
      // biome-ignore lint/suspicious/noDocumentCookie: as above
      document.cookie = `${colorSchemeCookie}=; path=/; max-age=0; samesite=lax`
    },
  }
}
