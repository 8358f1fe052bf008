"use client"

import { useTRPC } from "@docket/client/react"
import { TextInput } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { ChevronDown, ChevronUp, X } from "lucide-react"
import { useParams, useRouter } from "next/navigation"
import { useEffect, useRef, useState } from "react"
import { IconButton } from "../../ui/icon-button.tsx"
import { hitHref } from "../search/hit-href.ts"
import { rememberSearch } from "../search/recent-searches.ts"
import { utcOffset } from "../search/use-search.ts"
import styles from "./find-bar.module.css"
import { findCount, nextRow } from "./find-step.ts"
import { useWayHome } from "./use-way-home.ts"

interface FindBarProps {
  rootID: string
  /** Increases each time the user asks for the search field. */
  timesAsked: number
  onClose: () => void
}

/** Finds rows in all sessions of a tree, also folded and unloaded ones, and moves between them. */
export function FindBar({ rootID, timesAsked, onClose }: FindBarProps) {
  const field = useRef<HTMLInputElement>(null)
  const find = useFind(rootID)
  const way = useWayHome()
  const router = useRouter()
  useEffect(() => {
    if (timesAsked === 0) return
    // The palette may have opened this bar, and returns focus first.
    const frame = requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.select()
    })
    return () => cancelAnimationFrame(frame)
  }, [timesAsked])
  const { target, arrived } = find
  useEffect(() => {
    if (target === null) return
    arrived()
    way.pageOpened()
    router.push(target, { scroll: false })
  }, [target, arrived, router, way])
  const close = () => {
    way.goHome()
    onClose()
  }
  return (
    <search className={styles.bar} aria-label="Find in this session and its subagents">
      <TextInput
        ref={field}
        className={styles.field ?? ""}
        type="search"
        aria-label="Find in this session and its subagents"
        placeholder="Find here and in subagents"
        maxLength={2_000}
        value={find.text}
        onChange={(event) => find.setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault()
            rememberSearch(find.text)
            find.go(event.shiftKey ? -1 : 1)
          } else if (event.key === "Escape") {
            event.preventDefault()
            close()
          }
        }}
      />
      <span role="status" className={styles.count}>
        {find.status}
      </span>
      <IconButton label="Previous" disabled={!find.found} variant="subtle" onClick={() => find.go(-1)}>
        <ChevronUp size={16} />
      </IconButton>
      <IconButton label="Next" disabled={!find.found} variant="subtle" onClick={() => find.go(1)}>
        <ChevronDown size={16} />
      </IconButton>
      <IconButton label="Close and go back" variant="subtle" onClick={close}>
        <X size={16} />
      </IconButton>
    </search>
  )
}

/** The typed text, the rows it finds, and the move to the next row. */
function useFind(rootID: string) {
  const trpc = useTRPC()
  const { child } = useParams<{ child?: string }>()
  const [text, setText] = useState("")
  const [settledText] = useDebouncedValue(text.trim(), 150)
  const [partID, setPartID] = useState<string | null>(null)
  /** The user pressed a key for the next row before the rows of this text were loaded. */
  const [wish, setWish] = useState<{ text: string; step: 1 | -1 } | null>(null)
  const searchedText = wish?.text ?? settledText
  const input = { sessionID: rootID, text: searchedText, isTyping: true, utcOffset: utcOffset() }
  const found = useQuery({ ...trpc.search.rows.queryOptions(input), enabled: searchedText !== "" })
  const { rows = [], isMore = false, problems = [] } = (searchedText !== "" && found.data) || {}
  const target =
    wish === null || found.data === undefined
      ? null
      : nextRow(rows, { partID, sessionID: child ?? rootID, step: wish.step })
  return {
    text,
    setText(next: string) {
      setText(next)
      setWish(null)
      setPartID(null)
    },
    found: rows.length > 0,
    status:
      insteadOfCount({ searchedText, error: found.error, isPending: found.isPending, problem: problems[0] }) ??
      findCount(rows, partID, isMore),
    go(step: 1 | -1) {
      if (text.trim() !== "") setWish({ text: text.trim(), step })
    },
    target: target && hitHref({ session: { id: target.sessionID, rootID }, part: { id: target.partID } }),
    arrived() {
      setWish(null)
      setPartID(target?.partID ?? null)
    },
  }
}

interface SearchState {
  searchedText: string
  error: { message: string } | null
  isPending: boolean
  problem: string | undefined
}

/** Text shown instead of a count; null when there is a count. */
function insteadOfCount({ searchedText, error, isPending, problem }: SearchState): string | null {
  if (searchedText === "") return ""
  if (error) return "The search failed"
  return isPending ? "Searching…" : (problem ?? null)
}
