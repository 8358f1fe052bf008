"use client"

import { useRouter } from "next/navigation"
import { useCallback } from "react"
import { useLayers } from "./layers-provider.tsx"

/** Returns a function that goes to a page of this app. From a sheet or dialog, the page replaces its history entry. */
export function useGo(): (href: string) => void {
  const router = useRouter()
  const layers = useLayers()
  return useCallback(
    (href) => {
      // The page is already shown: only the layers over it close.
      if (new URL(href, location.href).href === location.href) return
      if (layers === null) router.push(href)
      else layers.leave((how) => router[how](href))
    },
    [router, layers],
  )
}
