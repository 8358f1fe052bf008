import type { MetadataOf } from "@docket/core/tool-metadata"
import type { Named } from "../../ui/person-names.ts"
import type { ChecklistItem } from "../todo/checklist-item.ts"
import type { AnsweredQuestion } from "./answered-questions.ts"
import type { FileChange } from "./read-file-change.ts"
import type { TaskView } from "./read-task.ts"

/** One line of a file list: a path, and for grep the line that matched. */
export interface FileHit {
  path: string
  line: number | null
  text: string | null
}

/** A file that a command left and could not keep. `words` say what became of it. */
export interface LeftFile {
  id: string
  path: string
  words: string
  /** Where it is now, if it was moved. */
  aside: string | null
}

/** A task that a call speaks of, as it stood then. */
export type SpokenTask = MetadataOf<"async_task">

/** What the opened card shows. */
export type ToolBody =
  | { kind: "none" }
  | { kind: "text"; text: string; language: string | null }
  | { kind: "files"; hits: FileHit[]; truncated: boolean }
  | { kind: "diff"; change: FileChange }
  | {
      kind: "terminal"
      command: string
      output: string
      exitCode: number | null
      truncated: boolean
      /** The part whose full output is kept; null when this is all of it. */
      savedPart: string | null
      sessionID: string
      /** What it left and could not keep, and what a person may allow. */
      left: readonly LeftFile[]
    }
  /** `planned`: the list was made by this call, so that there is nothing to say about what changed. */
  | { kind: "todos"; todos: ChecklistItem[]; planned: boolean }
  | { kind: "task"; task: TaskView }
  /** Tasks that a call speaks of, and what it said or was told. */
  | { kind: "tasks"; tasks: readonly SpokenTask[]; text: string | null }
  /** A plan that was handed over, in Markdown, and why it was sent back. */
  | { kind: "plan"; sessionID: string; partID: string; text: string; comments: string | null; approved: boolean }
  /** `message` went with a dismissal; `ended`: nothing is answered any more. */
  | { kind: "questions"; questions: readonly AnsweredQuestion[]; message: string | null; ended: boolean }
  | { kind: "json"; input: unknown; output: string | null }

/** A figure of the header, or what somebody did about the call. */
export type Fact = string | { did: string; by: Named }

/** What is particular to the calls of one tool. */
export interface CallView {
  title: string
  /** What stands under a title that is in words: the command of bash. */
  detail?: string
  body: ToolBody
  /** Right-hand figures of the header. */
  facts?: Fact[]
  /** The call itself worked, but what it ran did not: an exit code, a signal, a time-out. */
  alarm?: string | null
}
