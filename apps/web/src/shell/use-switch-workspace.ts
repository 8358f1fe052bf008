import { useTRPC } from "@docket/client/react"
import { useMutation } from "@tanstack/react-query"
import { showProblem } from "./show-problem.ts"

/**
 * Goes to another workspace. The page begins anew there, at `href`, or where it is: nothing that it knows is of that
 * workspace.
 */
export function useSwitchWorkspace(): { go: (workspace: string, href?: string) => void; isPending: boolean } {
  const trpc = useTRPC()
  const { mutate, isPending, isSuccess } = useMutation(trpc.workspace.switch.mutationOptions({ onError: showProblem }))
  const go = (workspace: string, href?: string) =>
    mutate({ workspace }, { onSuccess: () => (href === undefined ? location.reload() : location.assign(href)) })
  return { go, isPending: isPending || isSuccess }
}
