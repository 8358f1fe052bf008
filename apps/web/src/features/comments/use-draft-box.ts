"use client"

import { docketCode, httpStatus, isClientError } from "@docket/client"
import { useTRPCClient } from "@docket/client/react"
import { maxComment } from "@docket/core/review"
import { useEffect, useSyncExternalStore } from "react"
import { createDraftBox, type DraftBox, type LocalDraft } from "./draft-box.ts"

type Client = ReturnType<typeof useTRPCClient>

/** One box for each tree, for the life of the tab, so that drafts survive navigation. */
const boxes = new Map<string, DraftBox>()

function draftBoxOf(client: Client, rootID: string): DraftBox {
  const known = boxes.get(rootID)
  if (known !== undefined) return known
  const box = createDraftBox(
    {
      async save({ draftID, at, text, since }) {
        if (text.length > maxComment) throw new Error(tooLong(text.length))
        const continued = since === null ? {} : { since }
        if (draftID !== null) return client.review.draft.save.mutate({ draftID, text, ...continued })
        if ("threadID" in at) return client.review.draft.save.mutate({ threadID: at.threadID, text })
        return client.review.draft.save.mutate({ sessionID: at.sessionID, place: at.place, text })
      },
      post: (sessionID, draftID) => client.review.draft.post.mutate({ sessionID, draftIDs: [draftID] }),
      discard: (draftID) => client.review.draft.discard.mutate({ draftID }),
      isLost: (error) => isClientError(error) && httpStatus(error) === null,
      isUnknown: (error) => docketCode(error) === "comment_not_found",
      storage: window.localStorage,
      later(work, ms) {
        const timer = setTimeout(work, ms)
        return () => clearTimeout(timer)
      },
    },
    rootID,
  )
  window.addEventListener("online", () => box.retry())
  boxes.set(rootID, box)
  return box
}

function tooLong(length: number): string {
  const [has, most] = [length, maxComment].map((count) => count.toLocaleString("en"))
  return `The comment has ${has} characters and may have at most ${most}. Put the long part into a file and name it.`
}

/** The user's drafts on a tree, and the box that stores them. */
export function useDraftBox(rootID: string): { box: DraftBox; drafts: readonly LocalDraft[] } {
  const box = draftBoxOf(useTRPCClient(), rootID)
  const drafts = useSyncExternalStore(box.subscribe, box.list, box.list)
  useEffect(() => box.retry(), [box])
  return { box, drafts }
}
