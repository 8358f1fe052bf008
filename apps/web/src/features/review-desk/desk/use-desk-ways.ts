"use client"

import { useTRPCClient } from "@docket/client/react"
import { useCallback, useState } from "react"
import { showProblem } from "../../../shell/show-problem.ts"
import type { DiffTarget } from "../../changed-files/diff-target.ts"
import { messageIDAt, partAfter, partAt } from "../minimap/part-times.ts"
import type { ReviewRow } from "../task/review-rows.ts"
import { rootParam, taskParam } from "./desk-place.ts"
import type { Desk } from "./use-desk.ts"

/** A panel shown as a sheet over the desk when the screen has no column for it. */
export type Sheet = "agents" | "inspector"

/** Number of messages to load around a time or a part. */
const nearby = 8

export type DeskNavigation = ReturnType<typeof useDeskNavigation>

/** Navigation on the desk. Each move closes the open sheet. */
export function useDeskNavigation({ rows, row, place, go }: Desk) {
  const client = useTRPCClient()
  const [sheet, setSheet] = useState<Sheet | null>(null)
  /** The file that the diffs scroll to. */
  const [file, setFile] = useState<string | null>(null)
  const shownID = row?.sessionID ?? null
  const openRow = useCallback(
    (next: ReviewRow | null | undefined) => {
      if (!next) return
      setSheet(null)
      setFile(null)
      // A replay continues with the other task.
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
      // Within the shown task, the attempt that the address names stays selected.
      go({ task: taskParam(target), attempt: sessionID === shownID ? place.attempt : null, part })
    },
    [go, rows, shownID, place.attempt],
  )
  /** Opens the part that `find` returns from the messages around a message or part (`around`, its id). */
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
    /** Shows a session at a past time (epoch ms). */
    openAt(sessionID: string, time: number) {
      const target = rows.get(sessionID)
      if (target !== undefined) go({ task: taskParam(target), at: time })
    },
    /** Shows what a session did at a time (epoch ms). */
    openTime: (sessionID: string, time: number) =>
      void openFound(sessionID, messageIDAt(time), (messages) => partAt(messages, time)),
    /** Shows what came after a part. */
    openAfter: (sessionID: string, partID: string) =>
      void openFound(sessionID, partID, (messages) => partAfter(messages, partID)),
    /** Shows a file's diff in the task that changed it. */
    openDiff({ at }: DiffTarget) {
      if (at === null) return
      const owner = [...rows.values()].find(({ attempts }) => attempts.some(({ id }) => at.group === `task:${id}`))
      setSheet(null)
      setFile(at.path)
      go({ task: owner ? taskParam(owner) : rootParam, view: "files" })
    },
    /** Shows a file's diff in the shown task. */
    openFile(path: string) {
      setSheet(null)
      setFile(path)
      go({ ...place, part: null, view: "files" })
    },
  }
}

type Page = Parameters<typeof partAt>[0]
