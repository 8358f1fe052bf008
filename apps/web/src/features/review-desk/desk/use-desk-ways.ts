"use client"

import { useTRPCClient } from "@docket/client/react"
import { useCallback, useState } from "react"
import { showProblem } from "../../../shell/show-problem.ts"
import type { DiffTarget } from "../../changed-files/diff-target.ts"
import { messageIDAt, partAfter, partAt } from "../minimap/part-times.ts"
import type { ReviewRow } from "../task/review-rows.ts"
import { rootParam, taskParam } from "./desk-place.ts"
import type { Desk } from "./use-desk.ts"

/** What stands over the desk where it has no column for it. */
export type Sheet = "agents" | "inspector"

/** Messages that hold what stood before and after a moment. */
const nearby = 8

export type DeskWays = ReturnType<typeof useDeskWays>

/** The ways of a reader through the desk. Each closes what stands over it. */
export function useDeskWays({ rows, row, place, go }: Desk) {
  const client = useTRPCClient()
  const [sheet, setSheet] = useState<Sheet | null>(null)
  /** The file that the diffs begin at. */
  const [file, setFile] = useState<string | null>(null)
  const shown = row?.sessionID ?? null
  const openRow = useCallback(
    (next: ReviewRow | null | undefined) => {
      if (!next) return
      setSheet(null)
      setFile(null)
      // A replay goes on with the other task.
      go({ task: taskParam(next), view: place.view === "timeline" ? "timeline" : "transcript", at: place.at })
    },
    [go, place.view, place.at],
  )
  const openSession = useCallback((id: string) => openRow(rows.get(id)), [openRow, rows])
  const openPart = useCallback(
    (sessionID: string, part: string) => {
      const target = rows.get(sessionID)
      if (target === undefined) return
      setSheet(null)
      // An earlier attempt stays the one that is looked at.
      go({ task: taskParam(target), attempt: sessionID === shown ? place.attempt : null, part })
    },
    [go, rows, shown, place.attempt],
  )
  /** Goes to the part that is found in the messages around a place. */
  const openFound = useCallback(
    async (sessionID: string, around: string, find: (messages: Page) => { id: string } | null) => {
      try {
        const { items } = await client.session.messages.query({ sessionID, around, limit: nearby })
        const part = find(items)
        if (part === null) openSession(sessionID)
        else openPart(sessionID, part.id)
      } catch (error) {
        await showProblem(error)
      }
    },
    [client, openPart, openSession],
  )
  return {
    sheet,
    setSheet,
    file,
    openRow,
    openSession,
    openPart,
    /** A session as it stood then (epoch ms). */
    openAt(sessionID: string, then: number) {
      const target = rows.get(sessionID)
      if (target !== undefined) go({ task: taskParam(target), at: then })
    },
    /** What a session did at a moment (epoch ms). */
    openTime: (sessionID: string, time: number) =>
      void openFound(sessionID, messageIDAt(time), (messages) => partAt(messages, time)),
    /** What came after a part. */
    openAfter: (sessionID: string, partID: string) =>
      void openFound(sessionID, partID, (messages) => partAfter(messages, partID)),
    /** The diff of a file, of the task that changed it. */
    openDiff({ at }: DiffTarget) {
      if (at === null) return
      const owner = [...rows.values()].find(({ attempts }) => attempts.some(({ id }) => at.group === `task:${id}`))
      setSheet(null)
      setFile(at.path)
      go({ task: owner ? taskParam(owner) : rootParam, view: "files" })
    },
    openFile(path: string) {
      setSheet(null)
      setFile(path)
      go({ ...place, part: null, view: "files" })
    },
  }
}

type Page = Parameters<typeof partAt>[0]
