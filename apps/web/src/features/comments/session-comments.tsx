"use client"

import type { TreeStore } from "@docket/client"
import { useTRPCClient, useTreeState } from "@docket/client/react"
import { useEffect, useMemo, useState, useSyncExternalStore } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { Dialog } from "../../shell/dialog.tsx"
import { Can, useMe } from "../../shell/me.tsx"
import { showProblem } from "../../shell/show-problem.ts"
import type { CommentStore } from "../commenting/comment-store.ts"
import { beginComment } from "./begin-comment.ts"
import { commentCounts, placeID } from "./comment-counts.ts"
import { CommentField } from "./comment-field.tsx"
import { isProse, placeLabel } from "./comment-labels.ts"
import styles from "./comments.module.css"
import { Quote } from "./quote.tsx"
import { SelectionBar } from "./selection-bar.tsx"
import { type Comments, useComments } from "./use-comments.ts"
import { useHighlights } from "./use-highlights.ts"
import { useNames } from "./use-names.ts"
import { useSoughtText } from "./use-sought-text.ts"

interface SessionCommentsProps {
  rootID: string
  store: CommentStore
  /** The store of the visible transcripts. */
  tree: TreeStore
}

/** Enables comments on a page of a tree: counts, highlights, and the ways to start a comment. */
export function SessionComments({ rootID, store, tree }: SessionCommentsProps) {
  const comments = useComments(rootID)
  const { threads, drafts } = comments
  const counts = useMemo(() => commentCounts(threads ?? [], drafts), [threads, drafts])
  useEffect(() => store.setCounts(counts), [store, counts])
  useHighlights(tree, threads)
  useSoughtText(tree, store)
  const { dialogKey, setDialogKey } = useWishes({ rootID, store, tree }, comments)
  const draft = drafts.find(({ key }) => key === dialogKey)
  const root = useTreeState(tree, (view) => view.tree?.sessions[rootID] ?? null)
  // Names for mentions are loaded only when the user writes.
  const names = useNames(draft === undefined ? null : root, threads ?? [])
  return (
    <>
      <Can do="comment">
        <SelectionBar onComment={() => store.wish({ kind: "selection" })} />
      </Can>
      {draft === undefined ? null : (
        <Dialog
          opened
          onClose={() => setDialogKey(null)}
          title={"place" in draft.at ? placeLabel(draft.at.place) : "Answer"}
        >
          {"place" in draft.at && draft.at.quote !== null ? (
            <Quote text={draft.at.quote} code={!isProse(draft.at.place)} />
          ) : null}
          <div className={styles.over}>
            <CommentField
              draft={draft}
              box={comments.box}
              label="Comment"
              names={names}
              focused
              onDone={() => setDialogKey(null)}
            />
          </div>
        </Dialog>
      )}
    </>
  )
}

/**
 * Handles comment requests of the user. Over a dialog, the comment is written in a dialog of its own, which shows the
 * draft of `dialogKey`; otherwise in the list of comments.
 */
function useWishes({ rootID, store, tree }: SessionCommentsProps, { box }: Comments) {
  const client = useTRPCClient()
  const announce = useAnnounce()
  const refusal = useMe().whyNot("comment")
  const [dialogKey, setDialogKey] = useState<string | null>(null)
  const wish = useSyncExternalStore(
    store.subscribe,
    () => store.get().wish,
    () => null,
  )
  useEffect(() => {
    if (wish === null) return
    store.take()
    if (wish.kind === "show") {
      const draft = box.list().find(({ at }) => "place" in at && placeID(at.place) === wish.id)
      return store.show(draft === undefined ? { commentsOn: wish.id } : { draft: draft.key })
    }
    if (refusal !== undefined) return announce(refusal)
    const isOverDialog = document.querySelector("[role=dialog][aria-modal=true]") !== null
    const begin = async () => {
      const key = await beginComment({ rootID, client, box, tree: tree.get().tree }, wish)
      if (key === null) return announce("There is nothing to comment on there")
      if (isOverDialog) setDialogKey(key)
      else store.show({ draft: key })
    }
    begin().catch(showProblem)
  }, [wish, store, rootID, client, box, tree, announce, refusal])
  return { dialogKey, setDialogKey }
}
