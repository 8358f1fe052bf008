"use client"

import { useTRPC } from "@docket/client/react"
import type { MessageWithParts } from "@docket/core/schema"
import { useQueryClient } from "@tanstack/react-query"
import { useCallback, useRef } from "react"

/** How many messages back the history goes. */
const reach = 200

/** The user's texts in these messages, newest first, without duplicates. */
export function userTexts(messages: MessageWithParts[]): string[] {
  const texts = messages
    .filter(({ info }) => info.role === "user")
    .map(({ parts }) =>
      parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : [])).join("\n"),
    )
    .filter((text) => text.trim() !== "")
    .reverse()
  return [...new Set(texts)]
}

/**
 * Steps through the session's earlier prompts, as stored on the server. `step(1)` goes to an older prompt, `step(-1)`
 * to a newer one; after the newest the original text comes back.
 */
export function usePromptHistory(sessionID: string | null) {
  const trpc = useTRPC()
  const client = useQueryClient()
  /** `index`: of the shown prompt, 0 is the newest; -1 while the original text is shown. */
  const place = useRef({ index: -1, original: "" })

  const step = useCallback(
    async (direction: 1 | -1, current: string): Promise<string | null> => {
      if (sessionID === null) return null
      const page = await client.fetchQuery(trpc.session.messages.queryOptions({ sessionID, limit: reach }))
      const texts = userTexts(page.items)
      if (place.current.index === -1) place.current.original = current
      const next = place.current.index + direction
      if (next >= texts.length || next < -1) return null
      place.current.index = next
      return next === -1 ? place.current.original : (texts[next] ?? null)
    },
    [client, trpc, sessionID],
  )
  const browsing = useCallback(() => place.current.index >= 0, [])
  const leave = useCallback(() => {
    place.current.index = -1
  }, [])
  return { step, browsing, leave }
}
