import { docketCode } from "@docket/client"
import { useTRPC } from "@docket/client/react"
import type { GrantScope, PermissionReply, PermissionRequest } from "@docket/core/schema"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { useAnnounce } from "../../../shell/announcer.tsx"
import { showProblem } from "../../../shell/show-problem.ts"
import { useKeys } from "../../keyboard/use-keys.ts"
import { useClearUnreached } from "../use-clear-unreached.ts"
import { scopeLabels, type WideScope, wideScopes } from "./always-scopes.ts"
import { draftReplies, noReply } from "./draft-replies.ts"

/** The answers to one request, given by button or key. */
export function useReply(request: PermissionRequest, isOfTask: boolean) {
  const trpc = useTRPC()
  const announce = useAnnounce()
  const reply = useMutation(
    trpc.permission.reply.mutationOptions({
      onSuccess() {
        draftReplies.write(request.id, null)
      },
      // An answer from another user or tab removes this card with its error text, so the error becomes a notification.
      onError: (error) => {
        if (docketCode(error) === "permission_request_answered") void showProblem(error)
      },
    }),
  )
  useClearUnreached(request.rootID, reply)
  /** The user's draft reply. `typed: null`: "always" uses the patterns of the request. */
  const [draft, setDraft] = useState(() => draftReplies.read(request.id) ?? noReply)
  const { reason, typed } = draft
  const change = (next: typeof draft) => {
    setDraft(next)
    draftReplies.write(request.id, next.reason === null && next.typed === null ? null : next)
  }
  const setReason = (reason: string | null) => change({ ...draft, reason })
  const setTyped = (typed: string | null) => change({ ...draft, typed })
  /** Scope of "always". The scope "task" has its own button. */
  const [scope, setScope] = useState<WideScope>("tree")
  const scopes = wideScopes(request)
  const hasPatterns = request.always.length > 0
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
  /** Without patterns in the request, "always" first asks the user for one. */
  const always = (within: GrantScope) => {
    if (typed === null && !hasPatterns) setTyped("")
    else send("always", { within })
  }
  const once = () => send("once")
  const reject = (message?: string) => send("reject", message ? { message } : {})
  const onKey = (answer: () => void) => (event: KeyboardEvent) => {
    event.preventDefault()
    // A key held down must answer only one request.
    if (!event.repeat) answer()
  }
  useKeys({
    "Alt+KeyY": onKey(once),
    "Alt+KeyA": onKey(() => always(scope)),
    "Alt+KeyW": onKey(() => {
      const next = scopes[(scopes.indexOf(scope) + 1) % scopes.length] ?? "tree"
      setScope(next)
      announce(`Always ${scopeLabels[next]}`)
    }),
    ...(isOfTask && { "Alt+KeyT": onKey(() => always("task")) }),
    "Alt+KeyN": onKey(() => reject()),
  })
  const { isPending: pending, error } = reply
  const forms = { reason, setReason, typed, setTyped }
  return { once, always, reject, pending, error, ...forms, hasPatterns, scope, setScope, scopes }
}

export type Reply = ReturnType<typeof useReply>
