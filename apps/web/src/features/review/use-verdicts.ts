"use client"

import { useTRPC } from "@docket/client/react"
import type { ReviewOverview } from "@docket/core"
import type { ReviewVerdict, VerdictKind } from "@docket/core/schema"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useAnnounce } from "../../shell/announcer.tsx"
import { useMe } from "../../shell/me.tsx"
import { showProblem } from "../../shell/show-problem.ts"
import { withLook, withoutVerdict, withVerdict } from "./judge.ts"
import { type Ahead, showAhead, takeBack } from "./show-ahead.ts"
import { markLabel, markOfVerdict } from "./verdict-labels.ts"

/**
 * What a person says of a task. It shows at once; what the service does not take is taken back from the page with the
 * reason, and what others say meanwhile stays.
 */
export function useVerdicts(rootID: string) {
  const trpc = useTRPC()
  const client = useQueryClient()
  const announce = useAnnounce()
  const { person } = useMe()
  const { queryKey } = trpc.review.overview.queryOptions({ sessionID: rootID })
  const show = (change: (overview: ReviewOverview) => ReviewOverview) => showAhead(client, queryKey, change)
  const settled = {
    onError: (error: unknown, _: unknown, ahead: Ahead<ReviewOverview> | undefined) => {
      takeBack(client, queryKey, ahead)
      void showProblem(error)
    },
    // Whatever came of it, the service knows: also when only its answer was lost.
    onSettled: () => client.invalidateQueries({ queryKey }),
  }
  const give = useMutation(
    trpc.review.verdict.give.mutationOptions({
      ...settled,
      onMutate: ({ taskID, verdict, reason = "" }) =>
        show((overview) => withVerdict(overview, unstored({ taskID, verdict, reason, person }))),
      onSuccess: ({ verdict }) => announce(markLabel[markOfVerdict[verdict]]),
    }),
  )
  const withdraw = useMutation(
    trpc.review.verdict.withdraw.mutationOptions({
      ...settled,
      onMutate: ({ taskID }) => show((overview) => withoutVerdict(overview, { taskID, person })),
      onSuccess: () => announce("Your verdict is withdrawn"),
    }),
  )
  const look = useMutation(
    trpc.review.viewed.set.mutationOptions({
      ...settled,
      onMutate: ({ taskID, viewed }) => show((overview) => withLook(overview, taskID, viewed ? Date.now() : null)),
      onSuccess: ({ on }) => announce(on === null ? "Not viewed" : "Viewed"),
    }),
  )
  return {
    /** `onRefused` is called when the service did not take it. */
    give: (at: Judged, verdict: VerdictKind, reason: string, onRefused: () => void) =>
      give.mutate({ ...seenOf(at), verdict, reason }, { onError: onRefused }),
    withdraw: (taskID: string) => withdraw.mutate({ taskID }),
    setViewed: (at: Judged, viewed: boolean) => look.mutate({ ...seenOf(at), viewed }),
  }
}

/** A task as the reader sees it: up to `seen`, or as it is where the page does not know its newest part. */
export interface Judged {
  taskID: string
  seen: string | null
}

function seenOf({ taskID, seen }: Judged): { taskID: string; seen?: string } {
  return { taskID, ...(seen !== null && { seen }) }
}

/** A verdict as it is drawn until the service has told its own. */
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
