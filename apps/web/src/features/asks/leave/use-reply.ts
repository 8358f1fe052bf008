import { docketCode } from "@docket/client"
import { useTRPC, useTree, useTreeState } from "@docket/client/react"
import type { GrantScope, PermissionReply, PermissionRequest } from "@docket/core/schema"
import { useMutation } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { useAnnounce } from "../../../shell/announcer.tsx"
import { showProblem } from "../../../shell/show-problem.ts"
import { useKeys } from "../../keyboard/use-keys.ts"
import { alwaysWords, type WideScope, wideScopes } from "./always-scopes.ts"

/** The answers to one request, by button and by key. */
export function useReply(request: PermissionRequest, isOfTask: boolean) {
  const trpc = useTRPC()
  const announce = useAnnounce()
  const reply = useMutation(
    trpc.permission.reply.mutationOptions({
      // An answer from elsewhere takes the card away, and what stands on it.
      onError: (error) => {
        if (docketCode(error) === "permission_request_answered") void showProblem(error)
      },
    }),
  )
  const { reset } = reply
  const connection = useTreeState(useTree(request.rootID), (view) => view.connection)
  useEffect(() => {
    // That Docket could not be reached is not true any more.
    if (connection === "live") reset()
  }, [connection, reset])
  /** What "always" is to remember, a pattern a line; null for what the request offers. */
  const [typed, setTyped] = useState<string | null>(null)
  /** How far "always" reaches; one task has a button of its own. */
  const [scope, setScope] = useState<WideScope>("tree")
  const scopes = wideScopes(request)
  const offered = request.always.length > 0
  const send = (kind: PermissionReply, more: { message?: string; within?: GrantScope } = {}) => {
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
  const always = (within: GrantScope) => {
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
    "Alt+KeyA": onKey(() => always(scope)),
    "Alt+KeyW": onKey(() => {
      const wider = scopes[(scopes.indexOf(scope) + 1) % scopes.length] ?? "tree"
      setScope(wider)
      announce(alwaysWords[wider])
    }),
    ...(isOfTask && { "Alt+KeyT": onKey(() => always("task")) }),
    "Alt+KeyN": onKey(() => reject()),
  })
  const { isPending: pending, error } = reply
  return { once, always, reject, pending, error, typed, setTyped, offered, scope, setScope, scopes }
}

export type Reply = ReturnType<typeof useReply>
