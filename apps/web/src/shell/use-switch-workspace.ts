import { useTRPC } from "@docket/client/react"
import { useMutation } from "@tanstack/react-query"
import { showProblem } from "./show-problem.ts"

/** Where this page goes once its reader is in another workspace: undefined is where it is. */
let aim: string | undefined = "/"

/**
 * Goes to another workspace. The page begins anew there, at `href`, or where it is: nothing that it knows is of that
 * workspace.
 */
export function useSwitchWorkspace(): { go: (workspace: string, href?: string) => void; isPending: boolean } {
  const trpc = useTRPC()
  const { mutate, isPending, isSuccess } = useMutation(
    trpc.workspace.switch.mutationOptions({
      onSuccess: beginAnew,
      onError(error) {
        aim = "/"
        showProblem(error)
      },
    }),
  )
  const go = (workspace: string, href?: string) => {
    // The feed may tell of the switch before its answer comes: both lead to one place.
    aim = href
    mutate({ workspace })
  }
  return { go, isPending: isPending || isSuccess }
}

/** Loads the page anew, for a reader who is in another workspace now. */
export function beginAnew(): void {
  if (aim === undefined) location.reload()
  else location.assign(aim)
}
