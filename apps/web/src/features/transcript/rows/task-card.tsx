"use client"

import type { ToolPart } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { PanelBottomClose } from "lucide-react"
import { taskStateLabel } from "../../task/task-state.ts"
import { useTaskActions } from "../../task/use-task-actions.ts"
import type { TaskView } from "../../tools/read-task.ts"
import task from "../../tools/task.module.css"
import { TaskLines } from "../../tools/task-lines.tsx"
import tools from "../../tools/tools.module.css"
import { withLiveTask } from "../../tools/with-live-task.ts"
import { useLiveTask } from "./live-task.ts"
import { useTranscriptActions } from "./transcript-actions.ts"

interface TaskCardProps {
  part: ToolPart
  task: TaskView
  waiting: boolean
}

/** A delegated task. A click opens the child session, also while it runs. */
export function TaskCard({ part, task: read, waiting }: TaskCardProps) {
  const { openSession } = useTranscriptActions()
  const live = useLiveTask(part)
  const view = withLiveTask(read, live)
  const child = view.sessionID
  const blocking = live?.state === "running" && live.mode === "blocking"
  return (
    <div className={tools.card} data-status={waiting ? "needs" : view.state}>
      <button
        type="button"
        className={task.card}
        data-action={blocking}
        disabled={child === null}
        onClick={() => child !== null && openSession(child)}
      >
        <span className="visually-hidden">{`Open task ${view.description}, ${taskStateLabel[view.state].toLowerCase()}:`}</span>
        <TaskLines task={view} needsYou={waiting} />
      </button>
      {blocking ? <BackgroundButton id={live.id} number={live.number} /> : null}
    </div>
  )
}

/** Lets the parent go on while the child works. */
function BackgroundButton({ id, number }: { id: string; number: number }) {
  const { background, busy } = useTaskActions({ id, number })
  return (
    <Button
      variant="subtle"
      color="gray"
      className={task.background ?? ""}
      leftSection={<PanelBottomClose size={12} aria-hidden />}
      loading={busy}
      onClick={background}
    >
      To background
    </Button>
  )
}
