"use client"

import { useTRPC } from "@docket/client/react"
import { visibleText } from "@docket/core/rule"
import { Button } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useAnnounce } from "../../shell/announcer.tsx"
import { Can } from "../../shell/me.tsx"
import { showProblem } from "../../shell/show-problem.ts"
import type { LeftFile } from "./call-view.ts"
import styles from "./tools.module.css"

/** Files that a command left and that Docket has switched off or moved away, each with a button to allow it. */
export function AllowLeft({ left, sessionID }: { left: readonly LeftFile[]; sessionID: string }) {
  const trpc = useTRPC()
  const listed = useQuery(trpc.permission.grants.queryOptions())
  const patterns = new Set(
    listed.data?.grants.flatMap((grant) => (grant.permission === "left_behind" ? grant.patterns : [])) ?? [],
  )
  return (
    <section className={styles.left} aria-label="Left by this command">
      <p>
        “Allow” puts a file back as the command left it, and lets commands of this project leave it with this content.
        Programs outside of the sandbox may then start what it names: look at it first.
      </p>
      <ul>
        {left.map((file) => (
          <LeftRow
            key={file.id}
            file={file}
            sessionID={sessionID}
            isAllowed={patterns.has(`${file.path} ${file.id}`)}
          />
        ))}
      </ul>
    </section>
  )
}

function LeftRow({ file, sessionID, isAllowed }: { file: LeftFile; sessionID: string; isAllowed: boolean }) {
  const { id, path, words, aside } = file
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const allow = useMutation(
    trpc.permission.allowLeft.mutationOptions({
      onError: showProblem,
      onSuccess: () => announce(`Allowed: ${visibleText(path)} is there again`),
      onSettled: () => queries.invalidateQueries(trpc.permission.grants.pathFilter()),
    }),
  )
  return (
    <li>
      <code>{visibleText(path)}</code> {visibleText(words)}
      {aside === null || isAllowed ? null : (
        <>
          {" "}
          to <code>{visibleText(aside)}</code>
        </>
      )}{" "}
      {isAllowed ? (
        <strong>allowed</strong>
      ) : (
        <Can do="answer">
          <Button
            size="compact-xs"
            aria-label={`Allow ${visibleText(path)}`}
            loading={allow.isPending}
            onClick={() => allow.mutate({ sessionID, leftID: id })}
          >
            Allow
          </Button>
        </Can>
      )}
    </li>
  )
}
