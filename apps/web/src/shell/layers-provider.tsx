"use client"

import { createContext, type ReactNode, startTransition, useContext, useEffect, useRef, useState } from "react"
import { createLayers, type Layers } from "./layers.ts"

const Context = createContext<Layers | null>(null)

/** Where dialogs, sheets and viewers say that they stand over the page. */
export function LayersProvider({ children }: { children: ReactNode }) {
  const [layers, setLayers] = useState<Layers | null>(null)
  useEffect(() => {
    const own = createLayers(window)
    // Much of the page reads it: drawn in small steps.
    startTransition(() => setLayers(own))
    return own.attach()
  }, [])
  return <Context value={layers}>{children}</Context>
}

/** Null until the page runs in a browser. */
export function useLayers(): Layers | null {
  return useContext(Context)
}

/** Small dialogs and menus fill a phone, where Back is how things are closed; beside a page it is the page's. */
const phone = "(max-width: 767px)"

/** Back closes what is open instead of leaving the page: everywhere, or on phones alone. */
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
