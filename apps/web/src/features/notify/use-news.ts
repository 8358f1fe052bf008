"use client"

import { useTRPC } from "@docket/client/react"
import { shortTitle } from "@docket/core/session-title"
import { useQuery } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { useEffect, useRef } from "react"
import { useMe } from "../../shell/me.tsx"
import type { Rights } from "../../shell/rights.ts"
import { type News, newsOf, type Seen } from "./news-of.ts"
import { notifies } from "./notify-choice.ts"
import { badgedIcon, titleWithCount } from "./tab-badge.ts"

/** Number of sessions that are watched: the newest, as many as the inbox reads. */
const limit = 50

const words: Record<News["kind"], string> = {
  needs: "Needs you: a request waits for an answer.",
  review: "A task is done and waits for your review.",
  finished: "Finished.",
  failed: "Failed. Open it to see why.",
}

/** Shows the number of pending requests in the tab's title and icon, and notifies the user while the tab is hidden. */
export function useNews(): void {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.session.list.queryOptions({ limit }))
  const notify = useNotify()
  const { can } = useMe()
  const seen = useRef<Map<string, Seen> | null>(null)
  useEffect(() => {
    if (data === undefined) return
    const next = newsOf(seen.current, data.items)
    seen.current = next.seen
    for (const news of next.news) notify.current(news)
  }, [data, notify])
  const waiting = data?.items.reduce((sum, { needsYou }) => sum + needsYou, 0) ?? 0
  useTabBadge(can("answer") ? waiting : 0)
}

function useNotify() {
  const router = useRouter()
  const { can } = useMe()
  const notify = useRef((_news: News) => {})
  notify.current = ({ kind, session }) => {
    if (document.hasFocus() || !notifies() || !isFor(kind, can)) return
    try {
      // With several tabs open, the tag makes the browser replace equal notifications.
      const notification = new Notification(shortTitle(session), { body: words[kind], tag: `${session.id}:${kind}` })
      notification.onclick = () => {
        window.focus()
        notification.close()
        router.push(`${kind === "review" ? "/review" : "/s"}/${session.id}`)
      }
    } catch {
      // Mobile browsers only allow notifications from a service worker.
    }
  }
  return notify
}

/** Whether the user has the right to act on this kind of news. */
function isFor(kind: News["kind"], can: Rights["can"]): boolean {
  return kind === "needs" ? can("answer") : kind === "review" ? can("judge") : true
}

function useTabBadge(count: number): void {
  useEffect(() => {
    const show = () => {
      const title = titleWithCount(document.title, count)
      if (title !== document.title) document.title = title
      showIcon(badgedIcon(count))
    }
    show()
    // Pages set their own titles when they are shown.
    const observer = new MutationObserver(show)
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [count])
}

function showIcon(address: string | null): void {
  const plain = document.querySelector<HTMLLinkElement>("link[rel=icon]")
  const own = document.querySelector<HTMLLinkElement>("link[data-badge]")
  if (address === null) {
    own?.remove()
    return
  }
  if (own?.href === address) return
  const link = own ?? document.createElement("link")
  link.rel = "icon"
  link.dataset.badge = ""
  link.href = address
  // The browser uses the last icon.
  if (!own) (plain?.parentElement ?? document.head).append(link)
}
