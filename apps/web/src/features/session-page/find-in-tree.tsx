"use client"

import { type ReactNode, useState } from "react"
import { useOffer } from "../../shell/commands.tsx"
import { lazyDialog } from "../../ui/lazy-dialog.tsx"
import { useKeys } from "../keyboard/use-keys.ts"

const FindBar = lazyDialog(() => import("./find-bar.tsx").then((it) => it.FindBar))

/** Wraps the pages of a tree: `/` finds rows in it. Ctrl+F stays with the browser. */
export function FindInTree({ rootID, children }: { rootID: string; children: ReactNode }) {
  /** How often the user asked for the bar since it opened; 0 while it is closed. */
  const [asked, setAsked] = useState(0)
  const ask = () => setAsked((count) => count + 1)
  useKeys({
    "/": (event) => {
      event.preventDefault()
      ask()
    },
  })
  useOffer([{ id: "find", group: "This session", label: "Find in this session and its subagents", run: ask }])
  return (
    <>
      {children}
      {asked === 0 ? null : <FindBar key={rootID} rootID={rootID} asked={asked} onClose={() => setAsked(0)} />}
    </>
  )
}
