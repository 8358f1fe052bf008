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

/** A file left by a command that Docket does not let take effect. `words` say what was done with it. */
export interface LeftFile {
  id: string
  path: string
  words: string
  /** Its new path, if it was moved. */
  aside: string | null
}

/** A task that a call refers to, as it was at that time. */
export type ReferredTask = MetadataOf<"async_task">

/** The content of the opened card. */
export type ToolBody =
  | { kind: "none" }
  | { kind: "text"; text: string; language: string | null }
  | { kind: "files"; hits: FileHit[]; truncated: boolean }
  | { kind: "diff"; change: FileChange }
  /** The changes of several files; those without a patch were too large to store. */
  | { kind: "diffs"; changes: readonly FileChange[] }
  | {
      kind: "terminal"
      command: string
      output: string
      exitCode: number | null
      truncated: boolean
      /** The part whose full output is stored; null when `output` is complete. */
      savedPart: string | null
      sessionID: string
      /** Files left by the command that do not take effect until a user allows them. */
      left: readonly LeftFile[]
    }
  /** `planned`: this call created the list, so there are no changes to describe. */
  | { kind: "todos"; todos: ChecklistItem[]; planned: boolean }
  | { kind: "task"; task: TaskView }
  /** Tasks that a call refers to, and its output. */
  | { kind: "tasks"; tasks: readonly ReferredTask[]; text: string | null }
  /** A plan submitted for approval, in Markdown, and the comments with which it was rejected. */
  | { kind: "plan"; sessionID: string; partID: string; text: string; comments: string | null; approved: boolean }
  /** `message` was sent with a dismissal; `ended`: the questions can no longer be answered. */
  | { kind: "questions"; questions: readonly AnsweredQuestion[]; message: string | null; ended: boolean }
  | { kind: "json"; input: unknown; output: string | null }

/** A figure in the header, or what a user did about the call. */
export type Fact = string | { did: string; by: Named }

/** The view of a call that is specific to its tool. */
export interface CallView {
  title: string
  /** A second line, if the title is a description: the command of bash. */
  detail?: string
  body: ToolBody
  /** Figures on the right of the header. */
  facts?: Fact[]
  /** The call itself succeeded, but what it ran failed: an exit code, a signal, a time-out. */
  alarm?: string | null
}
