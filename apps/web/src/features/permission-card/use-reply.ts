import { docketCode } from "@docket/client"
import { useTRPC } from "@docket/client/react"
import type { PermissionReply, PermissionRequest } from "@docket/core/schema"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { showProblem } from "../../shell/show-problem.ts"
import { useKeys } from "../keyboard/use-keys.ts"

/** The answers to one request, by button and by key. */
export function useReply(request: PermissionRequest, isOfTask: boolean) {
  const trpc = useTRPC()
  const reply = useMutation(
    trpc.permission.reply.mutationOptions({
      // An answer from elsewhere takes the card away, and what stands on it.
      onError: (error) => {
        if (docketCode(error) === "permission_request_answered") void showProblem(error)
      },
    }),
  )
  /** What "always" is to remember, a pattern a line; null for what the request offers. */
  const [typed, setTyped] = useState<string | null>(null)
  const offered = request.always.length > 0
  const send = (kind: PermissionReply, more: { message?: string; within?: "task" | "tree" } = {}) => {
    if (reply.isPending) return
    const { message, within } = more
    const patterns = typed === null ? undefined : typed.split("\n").filter((line) => line.trim() !== "")
    reply.mutate({
      requestID: request.id,
      reply: kind,
      ...(message && { message }),
      ...(kind === "always" && { remember: { within, patterns } }),
    })
  }
  /** Without a pattern there is nothing to remember: the person is to name one. */
  const always = (within: "task" | "tree") => {
    if (typed === null && !offered) setTyped("")
    else send("always", { within })
  }
  const once = () => send("once")
  const reject = (message?: string) => send("reject", message ? { message } : {})
  const onKey = (answer: () => void) => (event: KeyboardEvent) => {
    event.preventDefault()
    // A key that is held answers one request, not those behind it as well.
    if (!event.repeat) answer()
  }
  useKeys({
    "Alt+KeyY": onKey(once),
    "Alt+KeyA": onKey(() => always("tree")),
    ...(isOfTask && { "Alt+KeyT": onKey(() => always("task")) }),
    "Alt+KeyN": onKey(() => reject()),
  })
  return { once, always, reject, pending: reply.isPending, error: reply.error, typed, setTyped, offered }
}

export type Reply = ReturnType<typeof useReply>
