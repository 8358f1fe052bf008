import { useMutation } from "@tanstack/react-query"
import { showProblem } from "./show-problem.ts"

/** Signs this browser out and opens the sign-in page. */
export function useSignOut(): { signOut(): void; isPending: boolean } {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const response = await fetch("/api/logout", { method: "POST", headers: { "content-type": "application/json" } })
      if (!response.ok) throw new Error("Docket did not sign this browser out. Try again.")
    },
    onSuccess: () => location.assign("/login"),
    onError: showProblem,
  })
  return { signOut: () => mutate(), isPending }
}
