"use client"

import { followShare } from "@docket/client/follow-share"
import { useRouter } from "next/navigation"
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react"
import styles from "./share.module.css"
import { ShareGone } from "./share-gone.tsx"
import { ShareTime } from "./share-time.tsx"

interface LiveShareProps {
  secret: string
  /** Sequence number of the tree on the page. Events are followed from there. */
  seq: number
  /** When the server rendered the page, epoch ms. */
  asOf: number
  /** Whether the share is frozen and never changes. */
  frozen: boolean
  /** Minimum pause between two renders of the page while the work goes on (ms). */
  refreshMs: number
  /** The part named in the address. The page first scrolls to it. */
  part: string | null
  /** Shown in a frame of another site. */
  compact: boolean
  children: ReactNode
}

/** Within this distance the viewer counts as being at the end, and new rows scroll into view (px). */
const endWithin = 120

type Connection = "connecting" | "live" | "reconnecting"

/** Follows the shared tree: requests the page again after changes, and shows how fresh it is. */
export function LiveShare({ secret, seq, asOf, frozen, refreshMs, part, compact, children }: LiveShareProps) {
  const { connection, revoked } = useShareEvents({ secret, seq, refreshMs })
  const copied = useCopyLinks(!compact)
  useScrollToPart(part)
  const loadMore = useLoadMore()
  useStayAtEnd(children, loadMore)
  const isFreshnessVisible = useIsFreshnessVisible()
  if (revoked) return <ShareGone />
  return (
    <>
      <main className={styles.page} data-compact={compact}>
        {children}
      </main>
      <footer
        className={styles.foot}
        hidden={frozen && !copied}
        // The page's header shows the same information.
        data-said={isFreshnessVisible && connection !== "reconnecting" && !copied}
      >
        <span role="status" className={styles.chip} data-connection={connection}>
          {copied ? "Link copied" : <AsOf time={asOf} connection={connection} />}
        </span>
      </footer>
    </>
  )
}

function AsOf({ time, connection }: { time: number; connection: Connection }) {
  return (
    <span>
      as of <ShareTime time={time} /> · {connection === "reconnecting" ? "reconnecting" : "live"}
    </span>
  )
}

/** Whether the page's header, which shows how fresh the page is, is visible. */
function useIsFreshnessVisible(): boolean {
  const [isVisible, setVisible] = useState(true)
  useEffect(() => {
    const stamp = document.querySelector("[data-stamp]")
    if (stamp === null) return
    const observer = new IntersectionObserver(([entry]) => entry && setVisible(entry.isIntersecting))
    observer.observe(stamp)
    return () => observer.disconnect()
  }, [])
  return isVisible
}

interface FollowedShare {
  secret: string
  seq: number
  refreshMs: number
}

function useShareEvents({ secret, seq, refreshMs }: FollowedShare): { connection: Connection; revoked: boolean } {
  const { refresh } = useRouter()
  const [connection, setConnection] = useState<Connection>("connecting")
  const [revoked, setRevoked] = useState(false)
  const since = useRef(seq)
  const pause = useRef(refreshMs)
  pause.current = refreshMs
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const refreshLater = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        refresh()
      }, pause.current)
    }
    const stop = followShare({
      url: `/api/share/${secret}/events`,
      since: since.current,
      onState: setConnection,
      onChange: refreshLater,
      onRevoked: () => setRevoked(true),
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [secret, refresh])
  return { connection, revoked }
}

/**
 * Links to parts copy their address on a plain click, unless `mayCopy` is false. Returns true for a moment after a
 * copy.
 */
function useCopyLinks(mayCopy: boolean): boolean {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!mayCopy) return
    const copy = (event: MouseEvent) => {
      if (!isPlain(event) || !(event.target instanceof Element)) return
      const link = event.target.closest<HTMLAnchorElement>("a[data-copy-link]")
      if (!link || !navigator.clipboard) return
      event.preventDefault()
      navigator.clipboard.writeText(link.href).then(
        () => setCopied(true),
        () => window.location.assign(link.href),
      )
    }
    document.addEventListener("click", copy)
    return () => document.removeEventListener("click", copy)
  }, [mayCopy])
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1_500)
    return () => clearTimeout(timer)
  }, [copied])
  return copied
}

/** Whether a click has no modifier key. With one, the browser opens a link in another tab or window. */
function isPlain(click: MouseEvent): boolean {
  return !click.metaKey && !click.ctrlKey && !click.shiftKey
}

/**
 * Links name the part in the fragment too, so the browser scrolls by itself. Older links do not, so this hook does it.
 */
function useScrollToPart(part: string | null): void {
  useLayoutEffect(() => {
    if (part !== null && location.hash === "") document.getElementById(part)?.scrollIntoView()
  }, [part])
}

/**
 * Links to more of the transcript add rows to this page instead of opening another one. Returns a function that adds
 * the rows for a link to later rows.
 */
function useLoadMore(): () => void {
  const router = useRouter()
  const load = useCallback(
    (link: HTMLAnchorElement) => router.replace(link.pathname + link.search, { scroll: false }),
    [router],
  )
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      if (!isPlain(event) || !(event.target instanceof Element)) return
      const link = event.target.closest<HTMLAnchorElement>("a[data-more]")
      if (!link) return
      event.preventDefault()
      load(link)
    }
    document.addEventListener("click", follow)
    return () => document.removeEventListener("click", follow)
  }, [load])
  return useCallback(() => {
    const later = laterRows()
    if (later) load(later)
  }, [load])
}

/**
 * A viewer at the end of the transcript stays there as it grows. Rows that do not fit on the page any more are added,
 * too.
 * @param rows the rows of the last server render
 */
function useStayAtEnd(rows: ReactNode, loadMore: () => void): void {
  const atEnd = useRef(false)
  useEffect(() => {
    const readPlace = () => {
      const { scrollHeight } = document.documentElement
      const isNearEnd = window.scrollY > 0 && scrollHeight - window.scrollY - window.innerHeight < endWithin
      // While later rows are left to load, the end of the page is not the end of the transcript, unless they arrived
      // while the viewer was at the end.
      atEnd.current = isNearEnd && (atEnd.current || laterRows() === null)
    }
    addEventListener("scroll", readPlace, { passive: true })
    return () => removeEventListener("scroll", readPlace)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows are the reason to run again
  useLayoutEffect(() => {
    if (!atEnd.current) return
    loadMore()
    window.scrollTo({ top: document.documentElement.scrollHeight })
  }, [rows, loadMore])
}

function laterRows(): HTMLAnchorElement | null {
  return document.querySelector("a[data-more=later]")
}
