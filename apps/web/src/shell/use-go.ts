"use client"

import { useRouter } from "next/navigation"
import { useCallback } from "react"
import { useLayers } from "./layers-provider.tsx"

/** Goes to a page of this app. From a sheet or dialog the page takes the place of its entry in the history. */
export function useGo(): (href: string) => void {
  const router = useRouter()
  const layers = useLayers()
  return useCallback(
    (href) => {
      // The page is there already: what stands over it closes.
      if (new URL(href, location.href).href === location.href) return
      if (layers === null) router.push(href)
      else layers.leave((how) => router[how](href))
    },
    [router, layers],
  )
}
