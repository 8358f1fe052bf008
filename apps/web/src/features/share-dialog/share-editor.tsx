"use client"

import { useTRPC } from "@docket/client/react"
import type { ListedShare, SharePreview } from "@docket/core"
import { Button } from "@mantine/core"
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { useMe } from "../../shell/me.tsx"
import { ErrorState } from "../../ui/error-state.tsx"
import { SkeletonRows } from "../../ui/skeleton-rows.tsx"
import { noDecisions } from "./finding-groups.ts"
import { FindingsReview } from "./findings-review.tsx"
import styles from "./share-dialog.module.css"
import { ShareFields } from "./share-fields.tsx"
import { choiceOf, formOf, newForm, problemOf } from "./share-form.ts"
import { TreeChoice } from "./tree-choice.tsx"
import { treeLines } from "./tree-lines.ts"

interface ShareEditorProps {
  rootID: string
  /** The share to change; undefined to create one. */
  share: ListedShare | undefined
  onMade(made: { id: string; url: string }): void
  /** A share was changed, or the user cancelled. */
  onDone(): void
}

/** The preview of a share and all its settings. Nothing is published before "Publish". */
export function ShareEditor({ rootID, share, onMade, onDone }: ShareEditorProps) {
  const [form, setForm] = useState(share ? formOf(share) : newForm)
  const [leftOut, setLeftOut] = useState<readonly string[]>(share?.left ?? [])
  const [decisions, setDecisions] = useState(share?.decisions ?? noDecisions)
  const preview = usePreview({ rootID, shareID: share?.id, leftOut })
  const save = useSave({ rootID, share, onMade, onDone })
  const me = useMe()
  if (preview.isPending) return <SkeletonRows count={6} height={36} label="Looking through the session" />
  if (preview.failure)
    return (
      <ErrorState
        title="The session cannot be looked through"
        message={preview.failure.message}
        onRetry={preview.scanAgain}
      />
    )
  const isFrozen = share?.mode === "frozen"
  // The user's role can change while the dialog is open.
  const problem = me.whyNot("share") ?? problemOf(form, Date.now())
  const toggle = (id: string, isShown: boolean) =>
    setLeftOut(isShown ? leftOut.filter((other) => other !== id) : [...leftOut, id])
  const submit = () =>
    save.run({
      ...choiceOf(form, Date.now()),
      decisions,
      left: [...leftOut],
      mode: form.mode,
      reviewed: { key: preview.key, digests: preview.digests },
    })
  return (
    <form
      className={styles.body}
      onSubmit={(event) => {
        event.preventDefault()
        if (problem === null) void submit().catch(preview.scanAgain)
      }}
    >
      {isFrozen ? (
        <p>A frozen share stays as it is: make another one to show something else.</p>
      ) : (
        <>
          <p>
            {share ? "" : "Nothing leaves before you publish. "}Readers see a copy of what is checked, without what is
            hidden. They cannot write or run anything.
          </p>
          <TreeChoice
            lines={treeLines(preview.sessions, new Set(leftOut))}
            onToggle={toggle}
            onToggleAll={(isShown) => setLeftOut(isShown ? [] : preview.sessions.flatMap(belowFirst))}
          />
          <FindingsReview
            rootID={rootID}
            findings={preview.findings}
            fresh={preview.fresh}
            decisions={decisions}
            onDecide={setDecisions}
          />
        </>
      )}
      <ShareFields
        form={form}
        onChange={(change) => setForm({ ...form, ...change })}
        isNew={share === undefined}
        isFrozen={isFrozen}
        hasPassword={share?.hasPassword ?? false}
      />
      <div className={styles.foot}>
        <Button type="submit" variant="filled" loading={save.isPending} disabled={problem !== null}>
          {share ? "Save" : "Publish"}
        </Button>
        {share ? <Button onClick={onDone}>Cancel</Button> : null}
        {(problem ?? save.problem) ? (
          <p role="alert" className={styles.problem}>
            {problem ?? save.problem}
          </p>
        ) : null}
      </div>
    </form>
  )
}

/**
 * The ids to leave out so that only the first session is shared: those of its children. Their descendants are left out
 * with them.
 */
function belowFirst(
  { id, parentID }: SharePreview["sessions"][number],
  _nth: number,
  [first]: SharePreview["sessions"],
) {
  return parentID === first?.id ? [id] : []
}

const keyBytes = 16

/** The key of a preview. Findings keep their digests when the preview is loaded again with the same key. */
function newKey(): string {
  // `randomUUID` exists only on https pages and on localhost.
  return Array.from(crypto.getRandomValues(new Uint8Array(keyBytes)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("")
}

/** A preview is loaded once, and again only on request: decisions refer to its findings. */
const loadOnce = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnWindowFocus: false, retry: false } as const

interface PreviewInput {
  rootID: string
  shareID: string | undefined
  /** Ids of the sessions that are left out. */
  leftOut: readonly string[]
}

/** The whole tree, and the findings in the sessions that are included. */
function usePreview({ rootID, shareID, leftOut }: PreviewInput) {
  const trpc = useTRPC()
  const [key] = useState(newKey)
  // The digests of the first scan; null until it is repeated.
  const [seen, setSeen] = useState<readonly string[] | null>(null)
  const source = shareID === undefined ? { rootID, key } : { rootID, shareID }
  const whole = useQuery(trpc.share.preview.queryOptions(source, loadOnce))
  const chosen = useQuery({
    ...trpc.share.preview.queryOptions({ ...source, left: [...leftOut] }, loadOnce),
    enabled: leftOut.length > 0,
    placeholderData: keepPreviousData,
  })
  const findings = (leftOut.length > 0 ? chosen.data : whole.data)?.findings ?? whole.data?.findings ?? []
  const digests = [...new Set([...digestsOf(whole.data), ...digestsOf(chosen.data)])]
  const known = new Set(seen ?? digests)
  return {
    key,
    digests,
    findings,
    /** The digests that the first scan did not find. */
    fresh: new Set(digests.filter((digest) => !known.has(digest))),
    sessions: whole.data?.sessions ?? [],
    isPending: whole.isPending,
    failure: whole.isLoadingError ? whole.error : null,
    /** Scans again. Findings that were not there before count as new. */
    scanAgain() {
      setSeen(seen ?? digests)
      void whole.refetch()
      if (leftOut.length > 0) void chosen.refetch()
    },
  }
}

function digestsOf(preview: SharePreview | undefined): string[] {
  return preview?.findings.map(({ digest }) => digest) ?? []
}

type SaveInput = ReturnType<typeof choiceOf> & {
  decisions: ListedShare["decisions"]
  left: string[]
  mode: ListedShare["mode"]
  reviewed: { key: string; digests: string[] }
}

/** Creates or changes the share. @throws the server's error, which `problem` holds too */
function useSave({ rootID, share, onMade, onDone }: ShareEditorProps) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const create = useMutation(trpc.share.create.mutationOptions())
  const update = useMutation(trpc.share.update.mutationOptions())
  return {
    isPending: create.isPending || update.isPending,
    problem: (create.error ?? update.error)?.message ?? null,
    async run({ mode, reviewed, ...choice }: SaveInput) {
      // The second press of a double click arrives before the next render and would create a second link.
      if (queries.isMutating({ mutationKey: trpc.share.create.mutationKey() }) > 0) return
      if (share === undefined) {
        onMade(await create.mutateAsync({ rootID, ...choice, mode, reviewed }))
        announce("Link made")
      } else {
        const { title: _title, shows: _shows, decisions: _decisions, left: _left, ...rest } = choice
        await update.mutateAsync({ shareID: share.id, ...(share.mode === "frozen" ? rest : choice) })
        announce("Share changed")
        onDone()
      }
      await queries.invalidateQueries(trpc.share.list.pathFilter())
    },
  }
}
