"use client"

import dynamic from "next/dynamic"
import { type ReactNode, useState } from "react"
import { lazyPart } from "../../ui/lazy-part.tsx"
import { loadPart } from "../../ui/load-part.ts"
import { useKeys } from "../keyboard/use-keys.ts"

const FindBar = lazyPart(
  dynamic(() => loadPart(() => import("./find-bar.tsx").then((it) => it.FindBar)), { ssr: false }),
  { note: "corner" },
)

/** Pages of a tree, over which its rows are found by `/`; the browser keeps its own Ctrl+F. */
export function FindInTree({ rootID, children }: { rootID: string; children: ReactNode }) {
  /** How often it was asked for since it is open; 0 while it is closed. */
  const [asked, setAsked] = useState(0)
  useKeys({
    "/": (event) => {
      event.preventDefault()
      setAsked((count) => count + 1)
    },
  })
  return (
    <>
      {children}
      {asked === 0 ? null : <FindBar key={rootID} rootID={rootID} asked={asked} onClose={() => setAsked(0)} />}
    </>
  )
}
