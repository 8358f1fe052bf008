import type { TaskState } from "@docket/core/schema"
import { taskStates } from "../../task/task-state.ts"

/** A background task that ended, as its parent is told. */
export interface EndedTask {
  number: number
  sessionID: string | null
  agent: string
  description: string
  state: TaskState
  /** Its answer, whole or partial; else why there is none. */
  text: string
}

/** What Docket itself told a model, as people read it. */
export interface Notice {
  words: string
  tasks: EndedTask[]
}

const frame = /<\/?system-reminder>/g
/** The head of each task in the notice that background tasks have ended. */
const taskHead = /^Task #(\d+) "(.*)" \(@(\S+)\):$/gm

/** Reads the text of a prompt that Docket wrote. Text in no frame comes back as it is. */
export function readNotice(text: string): Notice {
  const whole = text.replace(frame, "").trim()
  const heads = whole.includes("\ntask_id: ") ? [...whole.matchAll(taskHead)] : []
  const [first] = heads
  if (first === undefined) return { words: whole, tasks: [] }
  const tasks = heads.map((head, index) => {
    const [line, number = "", description = "", agent = ""] = head
    const answer = whole.slice(head.index + line.length, heads[index + 1]?.index).trim()
    return { number: Number(number), description, agent, ...readAnswer(answer) }
  })
  // What follows the first sentence tells the model what to do.
  return { words: whole.slice(0, first.index).split(". ")[0]?.trim().concat(".") ?? "", tasks }
}

function readAnswer(answer: string): Pick<EndedTask, "sessionID" | "state" | "text"> {
  const field = (name: string) => new RegExp(`^${name}: (.+)$`, "m").exec(answer)?.[1] ?? null
  const error = field("error_type")
  const result = /<(?:partial_)?result>\n?([\s\S]*?)\n?<\/(?:partial_)?result>/.exec(
    answer.replaceAll("task_result>", "result>"),
  )?.[1]
  const reason = answer.split("\n\n").at(1) ?? ""
  return {
    sessionID: field("task_id"),
    state: error === null ? "completed" : (taskStates.find((state) => state === error) ?? "failed"),
    text: (result ?? reason).trim(),
  }
}
