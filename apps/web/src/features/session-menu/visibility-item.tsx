"use client"

import { useTRPC } from "@docket/client/react"
import type { Session } from "@docket/core/schema"
import { Menu } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { Lock, Users } from "lucide-react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { useMe } from "../../shell/me.tsx"
import { showDone } from "../../shell/show-done.ts"
import { showProblem } from "../../shell/show-problem.ts"
import { isPrivate } from "../../ui/is-private.ts"
import { mayHide } from "./may-hide.ts"
import { useSessionUpdate } from "./use-session-update.ts"

/** Hides a session from other team members, or shows it to them; only for the user who started it. */
export function VisibilityItem({ session }: { session: Session }) {
  const trpc = useTRPC()
  const me = useMe()
  const announce = useAnnounce()
  const { refresh } = useSessionUpdate()
  const change = useMutation(trpc.session.setVisibility.mutationOptions())
  if (!mayHide(session, me)) return null
  const hidden = isPrivate(session)
  const toggle = async () => {
    await change.mutateAsync({ sessionID: session.id, visibility: hidden ? "workspace" : "author" })
    const words = hidden ? "Everybody here sees this session now" : "Only you see this session now"
    announce(words)
    void showDone(words, "none")
    refresh()
  }
  return (
    <Menu.Item
      leftSection={hidden ? <Users size={14} /> : <Lock size={14} />}
      onClick={() => toggle().catch(showProblem)}
    >
      {hidden ? "Show to everybody" : "Hide from others"}
    </Menu.Item>
  )
}
