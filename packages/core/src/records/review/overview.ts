import { reviewMark, standingVerdicts } from "../../ground/message/review-marks.ts"
import type { ReviewedState, ReviewThread, ReviewVerdict, ReviewViewed } from "../../ground/schema/index.ts"
import type { ReviewOverview, TaskReview } from "./review-service.ts"
import { changesSince, type Since } from "./reviewed-state.ts"
import type { ReviewsDeps } from "./reviews-deps.ts"

/** What is said of all tasks of a tree, in a few reads whatever their number. */
export async function reviewOverview(
  deps: Pick<ReviewsDeps, "store" | "fileDigest">,
  rootID: string,
  person: string,
): Promise<ReviewOverview> {
  const { store } = deps
  // Read first: what changes while the rest is read comes again as an event.
  const seq = (await store.feed.head(rootID)) ?? 0
  const [tasks, { threads, verdicts, viewed }] = await Promise.all([store.task.tree(rootID), store.review.tree(rootID)])
  const byTask = Map.groupBy(verdicts, ({ taskID }) => taskID)
  const standing = new Map([...byTask].map(([taskID, given]) => [taskID, standingVerdicts(given)]))
  const looks = newestLooks(viewed.filter(({ by }) => by.person === person))
  const seen = [...looks.values()].flatMap(({ on, ...look }) => (on === null ? [] : [{ ...look, on }]))
  const since = await changesSince(deps, [...[...standing.values()].flat(), ...seen])
  const talks = Map.groupBy(threads, ({ taskID }) => taskID)
  return {
    seq,
    tasks: tasks.map(({ id }) =>
      taskReview(id, since, {
        standing: standing.get(id) ?? [],
        look: looks.get(id) ?? null,
        threads: talks.get(id) ?? [],
      }),
    ),
  }
}

interface Said {
  standing: ReviewVerdict[]
  look: ReviewViewed | null
  threads: ReviewThread[]
}

function taskReview(taskID: string, since: (id: string) => Since, { standing, look, threads }: Said): TaskReview {
  const verdicts = standing.map((verdict) => ({ verdict, ...since(verdict.id) }))
  const open = threads.filter(({ resolved }) => resolved === null).length
  return {
    taskID,
    mark: reviewMark(verdicts),
    verdicts,
    viewed: look?.on ? viewedSince(look.on, look.time.viewed, since(look.id)) : null,
    threads: { open, resolved: threads.length - open },
  }
}

function viewedSince({ last }: ReviewedState, at: number, { newParts, changed }: Since): TaskReview["viewed"] {
  return { at, last, newParts, changed }
}

/** The last of each task. */
function newestLooks(viewed: readonly ReviewViewed[]): Map<string, ReviewViewed> {
  const looks = new Map<string, ReviewViewed>()
  for (const look of viewed) {
    if ((looks.get(look.taskID)?.time.viewed ?? 0) <= look.time.viewed) looks.set(look.taskID, look)
  }
  return looks
}
