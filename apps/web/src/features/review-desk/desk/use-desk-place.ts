"use client"

import { useSearchParams } from "next/navigation"
import { useCallback, useMemo } from "react"
import { useLayers } from "../../../shell/layers-provider.tsx"
import { type DeskPlace, deskHref, readPlace } from "./desk-place.ts"

export type GoInDesk = (place: Partial<DeskPlace>, how?: "push" | "replace") => void

/**
 * The user's place on the desk, from the address. Going to another place sends no request to the server: it is the same
 * page.
 */
export function useDeskPlace(rootID: string): { place: DeskPlace; go: GoInDesk } {
  const params = useSearchParams()
  const layers = useLayers()
  const place = useMemo(() => readPlace(params), [params])
  const go = useCallback<GoInDesk>(
    (next, how = "push") => {
      const href = deskHref(rootID, next)
      if (new URL(href, location.href).href === location.href) return
      const move = (way: "push" | "replace") =>
        way === "push" ? history.pushState(null, "", href) : history.replaceState(null, "", href)
      if (layers === null || how === "replace") move(how)
      else layers.leave(move)
    },
    [rootID, layers],
  )
  return { place, go }
}
