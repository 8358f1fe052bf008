"use client"

import type { TreeStore } from "@docket/client"
import { useTreeState } from "@docket/client/react"
import { Check, CloudOff, LoaderCircle } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { useAnnounce } from "./announcer.tsx"
import styles from "./connection-chip.module.css"

/** A shorter loss of the connection is not shown (ms). */
const silentMs = 3_000
/** How long "caught up" is shown (ms). */
const goodNewsMs = 4_000
/** How long to wait for missed events after a reconnect (ms). */
const settleMs = 500

type Chip = { kind: "reconnecting" | "offline" } | { kind: "caught-up"; changes: number } | null

/** Shows that the page may be stale, and later that it has caught up. */
export function ConnectionChip({ store }: { store: TreeStore }) {
  const connection = useTreeState(store, (view) => view.connection)
  const chip = useConnectionChip(connection, () => store.get().tree?.seq ?? 0)
  const announce = useAnnounce()
  const words = chip ? wordsOf(chip) : null
  useEffect(() => {
    if (words) announce(words)
  }, [announce, words])
  if (!chip) return null
  const Icon = chip.kind === "caught-up" ? Check : chip.kind === "offline" ? CloudOff : LoaderCircle
  return (
    <span className={styles.chip} data-kind={chip.kind}>
      <Icon size={12} aria-hidden />
      {words}
    </span>
  )
}

function wordsOf(chip: NonNullable<Chip>): string {
  if (chip.kind === "caught-up") return chip.changes > 0 ? `Caught up, ${chip.changes} new` : "Caught up"
  return chip.kind === "offline" ? "Offline" : "Reconnecting"
}

function useConnectionChip(connection: string, readSeq: () => number): Chip {
  const [chip, setChip] = useState<Chip>(null)
  const lostAt = useRef<number | null>(null)
  const shown = useRef(false)
  const seq = useRef(readSeq)
  seq.current = readSeq
  useEffect(() => {
    if (connection === "reconnecting") {
      lostAt.current ??= seq.current()
      const timer = setTimeout(() => {
        shown.current = true
        setChip({ kind: navigator.onLine ? "reconnecting" : "offline" })
      }, silentMs)
      return () => clearTimeout(timer)
    }
    if (connection !== "live") return
    const before = lostAt.current
    lostAt.current = null
    if (!shown.current || before === null) return
    shown.current = false
    const settle = setTimeout(() => setChip({ kind: "caught-up", changes: seq.current() - before }), settleMs)
    const end = setTimeout(() => setChip(null), goodNewsMs)
    return () => {
      clearTimeout(settle)
      clearTimeout(end)
      setChip(null)
    }
  }, [connection])
  return chip
}
