"use client"

import { useTRPC } from "@docket/client/react"
import { planSteps } from "@docket/core/plan-steps"
import { Button } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { ListTodo } from "lucide-react"
import { useMemo } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { useMe } from "../../shell/me.tsx"
import { formatCount } from "../../ui/format-count.ts"
import styles from "./todo.module.css"

interface MakeTodosProps {
  sessionID: string
  /** The call that submitted the plan; the todos link to it. */
  partID: string
  /** The text of the plan. */
  text: string
}

/** Creates todos from a plan's steps, each only once. Nothing for a plan without steps. */
export function MakeTodos({ sessionID, partID, text }: MakeTodosProps) {
  const trpc = useTRPC()
  const announce = useAnnounce()
  const steps = useMemo(() => planSteps(text).length, [text])
  const make = useMutation(trpc.plan.makeTodos.mutationOptions({ onSuccess: (made) => announce(madeMessage(made)) }))
  if (!useMe().can("todo.edit") || steps === 0) return null
  return (
    <p className={styles.makeTodos}>
      <Button
        variant="default"
        leftSection={<ListTodo size={14} aria-hidden />}
        disabled={make.isPending}
        onClick={() => make.mutate({ sessionID, partID })}
      >
        Make todos of its {formatCount(steps, "step")}
      </Button>
      {make.data ? <span>{madeMessage(make.data)}</span> : null}
      {make.error ? <span role="alert">{make.error.message}</span> : null}
    </p>
  )
}

function madeMessage({ added, known }: { added: readonly unknown[]; known: number }): string {
  if (added.length === 0) return `${known === 1 ? "Its step was" : `All ${known} steps were`} made into todos before.`
  const before = known === 0 ? "" : `, ${known} were there before`
  return `${formatCount(added.length, "todo")} made${before}.`
}
