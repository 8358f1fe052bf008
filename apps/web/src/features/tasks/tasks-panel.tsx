"use client"

import { useTranscript, useTreeState } from "@docket/client/react"
import type { Session, TaskSummary } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { totalTokens, treeUsage } from "@docket/core/usage"
import { Button } from "@mantine/core"
import { ChevronRight, CornerLeftUp } from "lucide-react"
import { type ReactNode, useMemo, useState } from "react"
import { useAwaitedHost } from "../../shell/awaited-trees.ts"
import { useMe } from "../../shell/me.tsx"
import { CostTokens } from "../../ui/cost-tokens.tsx"
import { formatCount } from "../../ui/format-count.ts"
import panel from "../../ui/panel.module.css"
import * as roles from "../keyboard/grid-roles.ts"
import { useGridKeys } from "../keyboard/use-grid-keys.ts"
import { retriesOf } from "../task/retries-of.ts"
import { useLastingLanes } from "../tools/use-lasting-lanes.ts"
import { useRunningSteps } from "../tools/use-running-steps.ts"
import { askingSince } from "../tree/asking-since.ts"
import { useStableTreeState } from "../tree/use-stable-tree-state.ts"
import { visibleTasks } from "../tree/visible-tasks.ts"
import { groupTasks } from "./group-tasks.ts"
import { TaskRow } from "./task-row.tsx"
import { TaskTracksContext } from "./task-track.tsx"
import { taskTracks } from "./task-tracks.ts"
import styles from "./tasks.module.css"
import { anyWorks } from "./tree-clock.ts"
import { TreeUsage } from "./tree-usage.tsx"

interface TasksPanelProps {
  rootID: string
  /** The session on screen. */
  current: string
  onOpenSession(sessionID: string): void
}

/** Ended tasks that are shown at first; more on demand. */
const pageSize = 50

const noTasks: TaskSummary[] = []
const noSessions: Record<string, Session> = {}

/** All tasks of the tree, live: running, queued and ended. */
export function TasksPanel({ rootID, current, onOpenSession }: TasksPanelProps) {
  const store = useTranscript(rootID)
  const sessions = useTreeState(store, (view) => view.tree?.sessions ?? noSessions)
  const budget = useTreeState(store, (view) => view.tree?.sessions[rootID]?.tree ?? null)
  const all = useStableTreeState(store, ({ tree }) => (tree === null ? noTasks : visibleTasks(tree)))
  const { can } = useMe()
  const groups = useMemo(() => groupTasks(all), [all])
  const numberBySession = useMemo(() => new Map(all.map((task) => [task.sessionID, task.number])), [all])
  const asking = useStableTreeState(store, ({ tree }) =>
    tree === null ? {} : askingSince(tree, [...numberBySession.keys()]),
  )
  const retries = useStableTreeState(store, ({ tree }) =>
    tree === null ? {} : retriesOf(tree, [...numberBySession.keys()]),
  )
  // Number of finished tasks that are shown; 0 while their group is closed.
  const [shown, setShown] = useState(0)
  const { held, running, queued, finished } = groups
  const shownFinished = useMemo(() => finished.slice(0, shown), [finished, shown])
  const tracks = useMemo(
    () => taskTracks([...held, ...running, ...queued, ...shownFinished], asking, Date.now()),
    [held, running, queued, shownFinished, asking],
  )
  const grid = useGridKeys()
  useLastingLanes(grid, tracks.layout, tracks.drawnAt)
  const steps = useRunningSteps(store, running)
  const isAway = useAwaitedHost(rootID) !== null
  const row = (task: TaskSummary) => (
    <TaskRow
      key={task.id}
      task={task}
      place={groups.place.get(task.id)}
      current={task.sessionID === current}
      isAway={isAway}
      needsYou={task.state === "running" && asking[task.sessionID] !== undefined}
      under={task.parentID === rootID ? null : (numberBySession.get(task.parentID) ?? null)}
      step={steps.get(task.sessionID)}
      retry={retries[task.sessionID] ?? null}
      onOpenSession={onOpenSession}
    />
  )
  return (
    <section className={panel.panel} aria-label="Tasks">
      {current === rootID ? null : (
        <Button
          variant="subtle"
          color="gray"
          className={styles.root ?? ""}
          leftSection={<CornerLeftUp size={13} aria-hidden />}
          onClick={() => onOpenSession(rootID)}
        >
          {sessions[rootID] ? shortTitle(sessions[rootID]) : null}
        </Button>
      )}
      <TaskTracksContext value={tracks}>
        <div {...roles.grid("Tasks of this session")} className={styles.grid} ref={grid}>
          <Group title={can("judge") ? "Waits for your review" : "Waits for a review"} tasks={held} row={row} />
          <Group title="Running" tasks={running} row={row} />
          <Group title="Queued" tasks={queued} row={row} />
          <Group
            title="Finished"
            tasks={shownFinished}
            count={finished.length}
            row={row}
            toggle={
              <button
                type="button"
                data-cell
                tabIndex={-1}
                className={styles.toggle}
                aria-expanded={shown > 0}
                onClick={() => setShown(shown > 0 ? 0 : pageSize)}
              >
                <ChevronRight size={12} aria-hidden className={styles.arrow} />
                Finished ({finished.length.toLocaleString("en")})
              </button>
            }
          />
        </div>
      </TaskTracksContext>
      {shown > 0 && shown < finished.length ? (
        <Button onClick={() => setShown(shown + pageSize)}>
          Show {Math.min(pageSize, finished.length - shown)} more
        </Button>
      ) : null}
      <Totals tasks={all.length} sessions={sessions} />
      {budget === null ? null : <TreeUsage budget={budget} working={anyWorks(sessions)} />}
    </section>
  )
}

interface GroupProps {
  title: string
  tasks: readonly TaskSummary[]
  /** Total number, when not all are shown. */
  count?: number
  /** Button that opens and closes the group; without it the group is always open. */
  toggle?: ReactNode
  row(task: TaskSummary): ReactNode
}

function Group({ title, tasks, count = tasks.length, toggle, row }: GroupProps) {
  if (count === 0) return null
  return (
    <div {...roles.rowGroup} className={styles.group}>
      <div {...roles.row}>
        <div {...roles.gridCell} className={styles.groupHead}>
          {toggle ?? `${title} (${count})`}
        </div>
      </div>
      {tasks.map(row)}
    </div>
  )
}

/** Usage of the whole tree: the root and all delegated sessions, each counted once. */
function Totals({ tasks, sessions }: { tasks: number; sessions: Readonly<Record<string, Session>> }) {
  const { whole } = useMemo(() => treeUsage(Object.values(sessions)), [sessions])
  const tokens = totalTokens(whole.tokens)
  return (
    <p className={panel.totals}>
      <span>{formatCount(tasks, "task")}</span>
      {tokens + whole.cost > 0 ? (
        <span title="This session with all its tasks">
          In all <CostTokens cost={whole.cost} tokens={tokens} />
        </span>
      ) : null}
    </p>
  )
}
