"use client"

import { createContext, type ReactNode, startTransition, useContext, useEffect, useRef, useState } from "react"
import { createLayers, type Layers } from "./layers.ts"

const Context = createContext<Layers | null>(null)

/** Registry of dialogs, sheets and viewers that are open over the page. */
export function LayersProvider({ children }: { children: ReactNode }) {
  const [layers, setLayers] = useState<Layers | null>(null)
  useEffect(() => {
    const own = createLayers(window)
    // A transition, because much of the page depends on it.
    startTransition(() => setLayers(own))
    return own.attach()
  }, [])
  return <Context value={layers}>{children}</Context>
}

/** Null until hydration. */
export function useLayers(): Layers | null {
  return useContext(Context)
}

/**
 * On phones, small dialogs and menus fill the screen, and Back closes them; on larger screens Back belongs to the page.
 */
const phone = "(max-width: 767px)"

/** Makes Back close an open layer instead of leaving the page: everywhere, or only on phones. */
export function useLayer(opened: boolean, onClose: () => void, where: "everywhere" | "phone" = "everywhere"): void {
  const layers = useLayers()
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    if (!opened || layers === null) return
    if (where === "phone" && !window.matchMedia(phone).matches) return
    return layers.open(() => close.current())
  }, [layers, opened, where])
}
