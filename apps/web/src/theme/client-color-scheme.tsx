"use client"

import { useLayoutEffect } from "react"
import { cookieColorSchemeManager } from "./cookie-color-scheme-manager.ts"

/** Sets the appearance of pages that the browser renders itself: there the script of the head never runs. */
export function ClientColorScheme() {
  useLayoutEffect(() => {
    const chosen = cookieColorSchemeManager().get("auto")
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"
    document.documentElement.setAttribute("data-mantine-color-scheme", chosen === "auto" ? system : chosen)
  }, [])
  return null
}
