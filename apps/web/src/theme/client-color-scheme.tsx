"use client"

import { useLayoutEffect } from "react"
import { cookieColorSchemeManager } from "./cookie-color-scheme-manager.ts"

/**
 * Sets the appearance of pages that are rendered only in the browser, where the script in the head never runs, and
 * follows the system setting while a page is open.
 */
export function ClientColorScheme() {
  useLayoutEffect(() => {
    const isDark = matchMedia("(prefers-color-scheme: dark)")
    const apply = () => {
      const chosen = cookieColorSchemeManager().get("auto")
      const system = isDark.matches ? "dark" : "light"
      document.documentElement.setAttribute("data-mantine-color-scheme", chosen === "auto" ? system : chosen)
    }
    apply()
    isDark.addEventListener("change", apply)
    return () => isDark.removeEventListener("change", apply)
  }, [])
  return null
}
