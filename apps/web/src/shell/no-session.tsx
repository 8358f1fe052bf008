"use client"

import { Button } from "@mantine/core"
import Link from "next/link"
import { EmptyState } from "../ui/empty-state.tsx"
import { InOtherWorkspace } from "./in-other-workspace.tsx"

interface NoSessionProps {
  sessionID: string
  /** It was deleted while it was shown. */
  removed?: boolean
}

/** For an address whose session does not exist, or that the user may not see. */
export function NoSession({ sessionID, removed = false }: NoSessionProps) {
  return (
    <InOtherWorkspace sessionID={sessionID}>
      <EmptyState
        action={
          <Button component={Link} href="/">
            Go to the inbox
          </Button>
        }
      >
        {removed
          ? "This session was deleted."
          : `There is no session ${sessionID} that you can see. It may have been deleted, or is private to somebody else.`}
      </EmptyState>
    </InOtherWorkspace>
  )
}
