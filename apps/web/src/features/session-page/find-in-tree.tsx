"use client"

import { type ReactNode, useState } from "react"
import { useOffer } from "../../shell/commands.tsx"
import { lazyDialog } from "../../ui/lazy-dialog.tsx"
import { useKeys } from "../keyboard/use-keys.ts"

const FindBar = lazyDialog(() => import("./find-bar.tsx").then((it) => it.FindBar))

/** Wraps the pages of a tree: `/` finds rows in it. Ctrl+F stays with the browser. */
export function FindInTree({ rootID, children }: { rootID: string; children: ReactNode }) {
  /** How often the user asked for the bar since it opened; 0 while it is closed. */
  const [timesAsked, setTimesAsked] = useState(0)
  const ask = () => setTimesAsked((count) => count + 1)
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
      {timesAsked === 0 ? null : (
        <FindBar key={rootID} rootID={rootID} timesAsked={timesAsked} onClose={() => setTimesAsked(0)} />
      )}
    </>
  )
}
