import { useTRPC } from "@docket/client/react"
import type { ProposedTodo } from "@docket/core"
import { Button } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import Link from "next/link"
import { Can } from "../../../shell/me.tsx"
import { showProblem } from "../../../shell/show-problem.ts"
import { RelativeTime } from "../../../ui/relative-time.tsx"
import { StatusGlyph } from "../../../ui/status-glyph.tsx"
import styles from "./inbox.module.css"

/** A todo that a task proposes as done: the user accepts or rejects it. */
export function ProposalRow({ item: { todo, rootID } }: { item: ProposedTodo }) {
  const trpc = useTRPC()
  const update = useMutation({ ...trpc.todo.update.mutationOptions(), onError: showProblem })
  return (
    <li className={styles.item}>
      <Link href={placeOf(rootID, todo.sessionID)} className={styles.row}>
        <StatusGlyph status="needs" size={16} />
        <span className={styles.text}>
          <span className={styles.title}>{todo.content}</span>
          <span className={styles.meta}>
            Todo #{todo.number} · a task proposes it as done
            {todo.proposed === null ? null : (
              <>
                {" · "}
                <RelativeTime time={todo.proposed.at} />
              </>
            )}
          </span>
        </span>
      </Link>
      <Can do="todo.edit">
        <span className={styles.buttons}>
          <Button
            variant="filled"
            disabled={update.isPending}
            onClick={() => update.mutate({ todo: todo.id, status: "completed" })}
          >
            Accept<span className="visually-hidden">: {todo.content}</span>
          </Button>
          <Button disabled={update.isPending} onClick={() => update.mutate({ todo: todo.id, proposed: null })}>
            Dismiss<span className="visually-hidden">: {todo.content}</span>
          </Button>
        </span>
      </Can>
    </li>
  )
}

function placeOf(rootID: string | null, sessionID: string | null): string {
  if (rootID === null || sessionID === null) return "/todos"
  return sessionID === rootID ? `/s/${rootID}` : `/s/${rootID}/c/${sessionID}`
}
