"use client"

import type { TaskSummary } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { ClipboardCheck } from "lucide-react"
import { PageLink } from "../../../shell/page-link.tsx"

interface ReviewLinkProps {
  task: Pick<TaskSummary, "id" | "number" | "rootID">
  className: string
}

/** Link from a delegated task to its review. */
export function ReviewLink({ task: { id, number, rootID }, className }: ReviewLinkProps) {
  return (
    <Button
      component={PageLink}
      href={`/review/${rootID}?task=${id}`}
      variant="subtle"
      color="gray"
      className={className}
      aria-label={`Review task ${number}`}
      leftSection={<ClipboardCheck size={12} aria-hidden />}
    >
      Review
    </Button>
  )
}
