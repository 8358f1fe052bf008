import { useTRPC } from "@docket/client/react"
import { useMutation } from "@tanstack/react-query"
import { showProblem } from "./show-problem.ts"

/** The address to load after the switch; undefined reloads the current page. */
let aim: string | undefined = "/"

/**
 * Switches to another workspace. The page is loaded again, at `href` or at its current address, because none of its
 * data belongs to that workspace.
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
    // The event feed may report the switch before the response arrives: both then use this address.
    aim = href
    mutate({ workspace })
  }
  return { go, isPending: isPending || isSuccess }
}

/** Loads the page again after the workspace has changed. */
export function beginAnew(): void {
  if (aim === undefined) location.reload()
  else location.assign(aim)
}
