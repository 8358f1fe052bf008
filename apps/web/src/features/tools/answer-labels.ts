import type { TaskAnswer, TaskSummary } from "@docket/core/schema"
import type { People } from "../../ui/people.ts"
import { personName } from "../../ui/person-names.ts"

const verbs: Record<TaskAnswer["status"], string> = {
  once: "allowed once",
  always: "allowed for good",
  answered: "answered",
  dismissed: "dismissed",
  rejected: "rejected",
  expired: "expired",
}

interface AnswerLabel {
  /** The user shown before the text; null when the label names nobody. */
  by: TaskAnswer["by"] | null
  /** Who answered and how, such as "Ada allowed once"; without a name only how. */
  who: string
  /** The request that was answered. */
  asked: string
}

/** Who answered a request, and how. Without a name the label says only how. */
export function answerLabel({ status, by, asked }: TaskAnswer, people: People): AnswerLabel {
  const verb = verbs[status]
  if (by === undefined || status === "expired")
    return { by: null, who: `${verb.charAt(0).toUpperCase()}${verb.slice(1)}`, asked }
  return { by, who: `${personName(by, people)} ${verb}`, asked }
}

/** Users' answers to requests of a task, oldest first. */
export function answersOf({ moments = [] }: Pick<TaskSummary, "moments">): { at: number; answer: TaskAnswer }[] {
  return moments.flatMap(({ answer, until }) => (answer === undefined ? [] : [{ at: until, answer }]))
}
