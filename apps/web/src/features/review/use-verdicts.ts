"use client"

import { useTRPC } from "@docket/client/react"
import type { ReviewOverview } from "@docket/core"
import type { ReviewVerdict, VerdictKind } from "@docket/core/schema"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useAnnounce } from "../../shell/announcer.tsx"
import { useMe } from "../../shell/me.tsx"
import { showProblem } from "../../shell/show-problem.ts"
import { withoutVerdict, withVerdict, withViewed } from "./judge.ts"
import { type Ahead, showAhead, takeBack } from "./show-ahead.ts"
import { reviewStatusLabel, reviewStatusOf } from "./verdict-labels.ts"

/**
 * The current user's verdicts on tasks. They are shown at once. If the service refuses one, it is removed with the
 * reason; other users' verdicts stay.
 */
export function useVerdicts(rootID: string) {
  const trpc = useTRPC()
  const client = useQueryClient()
  const announce = useAnnounce()
  const { person } = useMe()
  const { queryKey } = trpc.review.overview.queryOptions({ sessionID: rootID })
  const show = (change: (overview: ReviewOverview) => ReviewOverview) => showAhead(client, queryKey, change)
  const handlers = {
    onError: (error: unknown, _: unknown, ahead: Ahead<ReviewOverview> | undefined) => {
      takeBack(client, queryKey, ahead)
      void showProblem(error)
    },
    // In any case the service knows the result, also when only its answer was lost.
    onSettled: () => client.invalidateQueries({ queryKey }),
  }
  const give = useMutation(
    trpc.review.verdict.give.mutationOptions({
      ...handlers,
      onMutate: ({ taskID, verdict, reason = "" }) =>
        show((overview) => withVerdict(overview, unstored({ taskID, verdict, reason, person }))),
      onSuccess: ({ verdict }) => announce(reviewStatusLabel[reviewStatusOf[verdict]]),
    }),
  )
  const withdraw = useMutation(
    trpc.review.verdict.withdraw.mutationOptions({
      ...handlers,
      onMutate: ({ taskID }) => show((overview) => withoutVerdict(overview, { taskID, person })),
      onSuccess: () => announce("Your verdict is withdrawn"),
    }),
  )
  const markViewed = useMutation(
    trpc.review.viewed.set.mutationOptions({
      ...handlers,
      onMutate: ({ taskID, viewed }) => show((overview) => withViewed(overview, taskID, viewed ? Date.now() : null)),
      onSuccess: ({ on }) => announce(on === null ? "Not viewed" : "Viewed"),
    }),
  )
  return {
    /** `onRefused` is called when the service refuses the verdict. */
    give: (task: SeenTask, verdict: VerdictKind, reason: string, onRefused: () => void) =>
      give.mutate({ ...seenOf(task), verdict, reason }, { onError: onRefused }),
    withdraw: (taskID: string) => withdraw.mutate({ taskID }),
    setViewed: (task: SeenTask, viewed: boolean) => markViewed.mutate({ ...seenOf(task), viewed }),
  }
}

/**
 * A task as the user sees it: up to part `seen`. Null means its current state, if the page does not know its newest
 * part.
 */
export interface SeenTask {
  taskID: string
  seen: string | null
}

function seenOf({ taskID, seen }: SeenTask): { taskID: string; seen?: string } {
  return { taskID, ...(seen !== null && { seen }) }
}

/** A verdict to show until the service sends the stored one. */
function unstored({
  person,
  ...given
}: Pick<ReviewVerdict, "taskID" | "verdict" | "reason"> & { person: string }): ReviewVerdict {
  return {
    id: "",
    rootID: "",
    sessionID: "",
    ...given,
    by: { person, workspace: "" },
    on: { last: null, files: null },
    time: { created: Date.now(), withdrawn: null },
  }
}
