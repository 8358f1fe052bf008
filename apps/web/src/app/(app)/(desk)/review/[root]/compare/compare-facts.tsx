import type { ReviewStatus } from "@docket/core/review-status"
import type { TaskSummary } from "@docket/core/schema"
import { taskTimes } from "@docket/core/task-times"
import { formatCost, formatTokens, totalTokens } from "@docket/core/usage"
import { NativeSelect } from "@mantine/core"
import { VerdictGlyph } from "../../../../../../features/review/verdict-glyph.tsx"
import { reviewStatusLabel } from "../../../../../../features/review/verdict-labels.ts"
import { TaskClock } from "../../../../../../features/task/task-clock.tsx"
import { TaskGlyph } from "../../../../../../features/task/task-glyph.tsx"
import { taskStateLabel } from "../../../../../../features/task/task-state.ts"
import styles from "./compare.module.css"
import type { Pair } from "./compared.ts"

interface CompareFactsProps {
  pair: Pair<TaskSummary>
  tasks: readonly TaskSummary[]
  statuses: Pair<ReviewStatus>
}

/** Figures of two tasks side by side, with a choice of each task. */
export function CompareFacts({ pair, tasks, statuses }: CompareFactsProps) {
  const [left, right] = pair
  const facts = [
    { name: "Agent", of: ({ agent }: TaskSummary) => `@${agent}` },
    { name: "Model", of: ({ model }: TaskSummary) => model.modelID },
    { name: "Time", of: (task: TaskSummary) => <TaskClock times={taskTimes(task)} /> },
    { name: "Cost", of: ({ usage }: TaskSummary) => formatCost(usage.cost) },
    { name: "Tokens", of: ({ usage }: TaskSummary) => formatTokens(totalTokens(usage.tokens)) },
    { name: "Tool calls", of: ({ usage }: TaskSummary) => String(usage.toolCalls) },
  ]
  return (
    <table className={styles.facts}>
      <caption className="visually-hidden">The two tasks in figures</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Figure</span>
          </th>
          <th scope="col">
            <TaskChoice label="First task" chosen={left} tasks={tasks} onChoose={(id) => show(id, right.id)} />
          </th>
          <th scope="col">
            <TaskChoice label="Second task" chosen={right} tasks={tasks} onChoose={(id) => show(left.id, id)} />
          </th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">State</th>
          {pair.map((task) => (
            <td key={task.id}>
              <span className={styles.state}>
                <TaskGlyph state={task.state} /> {taskStateLabel[task.state]}
              </span>
            </td>
          ))}
        </tr>
        <tr>
          <th scope="row">Verdict</th>
          {pair.map((task, index) => {
            const status = statuses[index] ?? "none"
            return (
              <td key={task.id}>
                <span className={styles.state}>
                  <VerdictGlyph status={status} label="" /> {reviewStatusLabel[status]}
                </span>
              </td>
            )
          })}
        </tr>
        {facts.map(({ name, of }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{of(left)}</td>
            <td>{of(right)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface TaskChoiceProps {
  label: string
  chosen: TaskSummary
  tasks: readonly TaskSummary[]
  onChoose(id: string): void
}

function TaskChoice({ label, chosen, tasks, onChoose }: TaskChoiceProps) {
  return (
    <NativeSelect
      aria-label={label}
      value={chosen.id}
      onChange={(event) => onChoose(event.currentTarget.value)}
      data={tasks.map(({ id, number, description }) => ({ value: id, label: `#${number} ${description}` }))}
    />
  )
}

/** Puts both tasks into the address, without a navigation. */
function show(task: string, rival: string): void {
  history.replaceState(null, "", `${location.pathname}?${new URLSearchParams({ task, with: rival })}`)
}
